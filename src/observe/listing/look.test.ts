import { expect, test } from "bun:test";
import fc from "fast-check";
import { dayMs } from "../../core/day.ts";
import { endOfLook } from "./look.ts";

const forever = Number.MAX_SAFE_INTEGER;

test("a look that reaches all rows has no end", () => {
  expect(endOfLook([], forever, 10)).toBeNull();
  expect(endOfLook([{ day: 5, requests: 10 }], forever, 10)).toBeNull();
});

test("a look ends inside the day in which its rows are used up", () => {
  const days = [
    { day: 9, requests: 10 },
    { day: 7, requests: 40 },
  ];
  expect(endOfLook(days, forever, 20)).toBe(7 * dayMs + (dayMs * 3) / 4);
  expect(endOfLook(days, forever, 5)).toBe(9 * dayMs + dayMs / 2);
});

test("a look that begins inside a day counts only what is before", () => {
  const days = [{ day: 9, requests: 40 }];
  expect(endOfLook(days, 9 * dayMs + dayMs / 2, 20)).toBeNull();
  expect(endOfLook(days, 9 * dayMs + dayMs / 2, 10)).toBe(9 * dayMs + dayMs / 4);
  expect(endOfLook(days, 9 * dayMs, 10)).toBeNull();
});

test("one look after the other gets to the end, however many rows a day has", () => {
  const counts = fc.array(fc.integer({ min: 1, max: 5_000_000 }), { maxLength: 10 });
  fc.assert(
    fc.property(counts, fc.integer({ min: 100_000, max: 1_000_000 }), (requests, rowsMax) => {
      const days = requests.map((count, at) => ({ day: 100 - at, requests: count }));
      let untilMs = forever;
      for (let looks = 0; looks < 2000; looks++) {
        const endMs = endOfLook(days, untilMs, rowsMax);
        if (endMs === null) return;
        expect(endMs).toBeLessThan(untilMs);
        untilMs = endMs;
      }
      throw new Error("it never ends");
    }),
  );
});
