// Steps of a chart by the clocks of a zone that leaps while it is drawn.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import { gridOf, startsOf } from "./grid.ts";
import { spanOf } from "./span.ts";
import { dayOf, startOfDay } from "./zone.ts";

const before = process.env["TZ"];
beforeAll(() => {
  process.env["TZ"] = "America/Los_Angeles";
});
afterAll(() => {
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
});

const at = (text: string) => Date.parse(text) / 1000;
/** Days from Friday to Monday; clocks went back on Sunday. */
const answer = {
  from: at("2026-10-30T07:00:00Z"),
  to: at("2026-11-03T08:00:00Z"),
  step: 86_400,
  tz: -420,
  source: "slots",
  series: [{ name: "m", label: null, points: [{ at: at("2026-11-02T08:00:00Z"), micros: 7 }] }],
} as unknown as SeriesAnswer;

test("each day begins at its own midnight, and a sum stands on its day", () => {
  const midnights = ["2026-10-30T07", "2026-10-31T07", "2026-11-01T07", "2026-11-02T08"];
  expect(startsOf(answer)).toEqual(midnights.map((text) => at(`${text}:00:00Z`)));
  const [line] = gridOf(answer, ({ micros }) => micros).lines;
  expect(line?.values).toEqual([null, null, null, 7]);
  expect(startOfDay("2026-11-02")).toBe(at("2026-11-02T08:00:00Z"));
  expect(dayOf(at("2026-11-02T07:59:59Z"))).toBe("2026-11-01");
});

test("a range of days ends with today's, though in UTC it is tomorrow", () => {
  const nowMs = Date.parse("2026-11-19T01:31:00Z");
  const [midnight, before] = [at("2026-11-19T08:00:00Z"), at("2026-10-20T07:00:00Z")];
  expect(spanOf("30d", 0, nowMs)).toEqual({ from: before, to: midnight, step: 86_400 });
  expect(spanOf("30d", 1, nowMs).to).toBe(before);
  expect(spanOf("7d", 0, nowMs).to).toBe(at("2026-11-19T02:00:00Z"));
});
