import { expect, test } from "bun:test";
import { isWithin, isZone, overlap, weekSpansOf, WeekClock } from "./week-windows.ts";

const at = (text: string) => Date.parse(text);
const minute = (day: number, hour: number, past = 0) => (day * 24 + hour) * 60 + past;

test.each([
  [{ from: "01:00", to: "04:00", days: "mon-fri" }, 5, 5 * 180],
  [{ from: "22:00", to: "02:00", days: "sun" }, 2, 240],
  [{ from: "00:00", to: "24:00" }, 7, 7 * 1440],
  [{ from: "09:00", to: "10:00", days: "sat-mon,wed" }, 4, 240],
])("%j is %d spans of %d minutes", (window, count, minutes) => {
  const spans = weekSpansOf(window);
  expect(spans).toHaveLength(count);
  expect(spans.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(minutes);
});

test("a window past midnight belongs to the day on which it begins", () => {
  const spans = weekSpansOf({ from: "22:00", to: "02:00", days: "fri" });
  expect(isWithin(spans, minute(4, 23))).toBe(true);
  expect(isWithin(spans, minute(5, 1, 59))).toBe(true);
  expect(isWithin(spans, minute(5, 2))).toBe(false);
  expect(isWithin(spans, minute(4, 1))).toBe(false);
});

test("windows that touch do not overlap", () => {
  const early = weekSpansOf({ from: "01:00", to: "04:00" });
  expect(overlap(early, weekSpansOf({ from: "04:00", to: "05:00" }))).toBe(false);
  expect(overlap(early, weekSpansOf({ from: "03:59", to: "05:00", days: "sun" }))).toBe(true);
});

test("a zone's own clock is what counts, over its leaps too", () => {
  const berlin = new WeekClock("Europe/Berlin");
  // Two in the morning is skipped in March, and comes twice in October.
  expect(berlin.minuteAt(at("2026-03-29T00:59:59Z"))).toBe(minute(6, 1, 59));
  expect(berlin.minuteAt(at("2026-03-29T01:00:00Z"))).toBe(minute(6, 3));
  expect(berlin.minuteAt(at("2026-10-25T00:30:00Z"))).toBe(minute(6, 2, 30));
  expect(berlin.minuteAt(at("2026-10-25T01:30:00Z"))).toBe(minute(6, 2, 30));
  expect(berlin.minuteAt(at("2026-10-25T02:00:00Z"))).toBe(minute(6, 3));
  const howe = new WeekClock("Australia/Lord_Howe");
  expect(howe.minuteAt(at("2026-04-04T14:59:00Z"))).toBe(minute(6, 1, 59));
  expect(howe.minuteAt(at("2026-04-04T15:00:00Z"))).toBe(minute(6, 1, 30));
});

test("every hour of two years is within exactly one half of the week, in every zone of leaps", () => {
  const halves = [
    weekSpansOf({ from: "06:00", to: "18:00" }),
    weekSpansOf({ from: "18:00", to: "06:00" }),
  ];
  for (const zone of [
    "UTC",
    "Asia/Shanghai",
    "America/Los_Angeles",
    "Pacific/Apia",
    "Asia/Kolkata",
  ]) {
    const clock = new WeekClock(zone);
    for (let hour = 0; hour < 2 * 365 * 24; hour += 5) {
      const now = clock.minuteAt(at("2026-01-01T00:30:00Z") + hour * 3_600_000);
      expect(halves.filter((spans) => isWithin(spans, now))).toHaveLength(1);
    }
  }
});

test("a zone is one that the runtime knows", () => {
  expect([isZone("Asia/Shanghai"), isZone("UTC"), isZone("Mars/Base")]).toEqual([
    true,
    true,
    false,
  ]);
});
