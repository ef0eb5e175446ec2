import { expect, test } from "bun:test";
import { newJob } from "./job.ts";
import { actualOf, unitsOf } from "./meter.ts";

const job = newJob({ model: "m", prompt: "p" });

test("a job is charged by its seconds, or by the most where they are open", () => {
  expect(unitsOf(job, 15)).toEqual({ seconds: 15, resolution: null, size: null, tier: null });
  const size = { width: 1280, height: 720 };
  expect(unitsOf({ ...job, seconds: 4, size, tier: "pro" }, 15)).toEqual({
    seconds: 4,
    resolution: "720p",
    size: "1280x720",
    tier: "pro",
  });
  expect(unitsOf({ ...job, size, resolution: "2k" }, 15).resolution).toBe("2k");
});

test("a shorter video costs less, a longer one no more than was held for", () => {
  const held = unitsOf({ ...job, seconds: 8 }, 15);
  const seconds = (delivered: number | null) =>
    actualOf(held, { seconds: delivered, tokens: null }).seconds;
  expect(seconds(5.1)).toBe(5.1);
  expect(seconds(8)).toBe(8);
  expect(seconds(9)).toBe(8);
  for (const nonsense of [null, 0, -3, Number.NaN, Infinity]) expect(seconds(nonsense)).toBe(8);
});
