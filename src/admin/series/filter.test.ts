// Days of a zone whose clocks leap begin at its midnights on both sides of the leap.
import { expect, test } from "bun:test";
import { toSpan } from "./filter.ts";

const nowMs = Date.UTC(2026, 10, 18, 12);
const hourMs = 3_600_000;

function spanIn(tz: string | number, step: number) {
  const from = { atMs: Date.UTC(2026, 9, 30, 20), isDay: false };
  const to = { atMs: Date.UTC(2026, 10, 3, 20), isDay: false };
  return toSpan({ from, to, step, tz }, { nowMs, isByDay: false });
}

test("days begin at midnight before and after the clocks of their zone leap", () => {
  const span = spanIn("America/Los_Angeles", 86_400);
  expect(span.fromMs).toBe(Date.UTC(2026, 9, 30, 7));
  expect(span.toMs).toBe(Date.UTC(2026, 10, 4, 8));
  expect(span.leaps).toEqual([{ atMs: Date.UTC(2026, 10, 1, 9), offsetMs: -8 * hourMs }]);
  const starts = [1, 2, 3].map((day) => span.startOf(Date.UTC(2026, 10, day)));
  expect(starts).toEqual([
    Date.UTC(2026, 10, 1, 7),
    Date.UTC(2026, 10, 2, 8),
    Date.UTC(2026, 10, 3, 8),
  ]);
});

test("hours and zones without a leap go on as they are", () => {
  expect(spanIn("America/Los_Angeles", 3600).leaps).toEqual([]);
  expect(spanIn("Asia/Shanghai", 86_400)).toMatchObject({ offsetMs: 8 * hourMs, leaps: [] });
  expect(spanIn(-420, 86_400)).toMatchObject({ offsetMs: -7 * hourMs, leaps: [] });
});
