import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { periods } from "../../config/budget.ts";
import { WallClock } from "../../core/week/wall-clock.ts";
import { windowOf, type Rhythm, type Window } from "./window.ts";

const zones = [...Intl.supportedValuesOf("timeZone"), "UTC"];
const startsDefault = { hour: 0, weekday: 1, day: 1, month: 1 };
const [firstMs, lastMs] = [Date.parse("1975-01-01"), Date.parse("2037-12-31")];
const dayMs = 86_400_000;
const at = (text: string) => Date.parse(text);

function rhythmOf(changes: Partial<Rhythm>): Rhythm {
  const base = { hours: 0, hoursFrom: "epoch", zone: "UTC", starts: startsDefault } as const;
  return { period: "month", ...base, ...changes };
}

/** Window of a rhythm whose windows need no first request. */
function found(rhythm: Rhythm, nowMs: number, sinceMs = 0): Window {
  const window = windowOf(rhythm, nowMs, sinceMs);
  if (!window) throw new Error("no window");
  return window;
}

const starts = fc.record({
  hour: fc.integer({ min: 0, max: 23 }),
  weekday: fc.integer({ min: 1, max: 7 }),
  day: fc.integer({ min: 1, max: 31 }),
  month: fc.integer({ min: 1, max: 12 }),
});
const rhythms = fc.record({
  period: fc.constantFrom(...periods.filter((period) => period !== "forever")),
  hours: fc.integer({ min: 1, max: 9000 }),
  hoursFrom: fc.constant("epoch" as const),
  zone: fc.constantFrom(...zones),
  starts,
});
const moments = fc.integer({ min: firstMs, max: lastMs });

describe("windows tile time", () => {
  test("a moment is in its window, and both ends of it say the same window", () => {
    fc.assert(
      fc.property(rhythms, moments, (rhythm, nowMs) => {
        const window = found(rhythm, nowMs);
        const closesAtMs = window.closesAtMs ?? 0;
        expect(window.openedAtMs).toBeLessThanOrEqual(nowMs);
        expect(closesAtMs).toBeGreaterThan(nowMs);
        expect(found(rhythm, window.openedAtMs)).toEqual(window);
        expect(found(rhythm, closesAtMs - 1)).toEqual(window);
      }),
      { numRuns: 1500 },
    );
  });

  test("where one closes the next opens, and where one opens the last has closed", () => {
    fc.assert(
      fc.property(rhythms, moments, (rhythm, nowMs) => {
        const { openedAtMs, closesAtMs } = found(rhythm, nowMs);
        expect(found(rhythm, closesAtMs ?? 0).openedAtMs).toBe(closesAtMs ?? 0);
        expect(found(rhythm, openedAtMs - 1).closesAtMs).toBe(openedAtMs);
      }),
      { numRuns: 1500 },
    );
  });

  test("days of every zone follow each other through every leap of 2011, 2024 and 2026", () => {
    for (const zone of zones) {
      const rhythm = rhythmOf({ period: "day", zone });
      const wall = new WallClock(zone);
      for (const [from, to] of leapsOf(wall)) {
        let window = found(rhythm, from - dayMs);
        while (window.openedAtMs < to + dayMs) {
          const next = found(rhythm, window.closesAtMs ?? 0);
          expect(next.openedAtMs).toBe(window.closesAtMs ?? 0);
          expect(wall.readingAt(next.openedAtMs) % dayMs).toBeLessThanOrEqual(dayMs / 12);
          window = next;
        }
      }
    }
  });
});

/** Days in which the wall leaps, each with its end. */
function leapsOf(wall: WallClock): [fromMs: number, toMs: number][] {
  const leaps: [number, number][] = [];
  const offsetAt = (ms: number) => wall.readingAt(ms) - ms;
  for (const year of [2011, 2024, 2026]) {
    for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += 16 * dayMs) {
      let [from, to] = [ms, ms + 16 * dayMs];
      if (offsetAt(from) === offsetAt(to)) continue;
      while (to - from > dayMs) {
        const middle = (from + to) / 2;
        if (offsetAt(middle) === offsetAt(from)) from = middle;
        else to = middle;
      }
      leaps.push([from, to]);
    }
  }
  return leaps;
}

describe("where they begin", () => {
  test("months begin on their day, or on their last where they are shorter", () => {
    const rhythm = rhythmOf({ starts: { ...startsDefault, day: 31 } });
    const opened = (text: string) => new Date(found(rhythm, at(text)).openedAtMs).toISOString();
    expect(opened("2026-02-27T23:59:59Z")).toBe("2026-01-31T00:00:00.000Z");
    expect(opened("2026-02-28T00:00:00Z")).toBe("2026-02-28T00:00:00.000Z");
    expect(opened("2028-02-29T00:00:00Z")).toBe("2028-02-29T00:00:00.000Z");
    expect(opened("2026-04-30T00:00:00Z")).toBe("2026-04-30T00:00:00.000Z");
    expect(opened("2026-05-30T12:00:00Z")).toBe("2026-04-30T00:00:00.000Z");
  });

  test("weeks, quarters and years begin where they are told to", () => {
    const zone = "Asia/Shanghai";
    const opened = (changes: Partial<Rhythm>) =>
      new Date(found(rhythmOf({ zone, ...changes }), at("2026-11-18T18:00:00Z")).openedAtMs);
    expect(opened({ period: "week" })).toEqual(new Date("2026-11-15T16:00:00Z"));
    const sunday = { ...startsDefault, weekday: 7, hour: 9 };
    expect(opened({ period: "week", starts: sunday })).toEqual(new Date("2026-11-15T01:00:00Z"));
    expect(opened({ period: "quarter" })).toEqual(new Date("2026-09-30T16:00:00Z"));
    const fiscal = { ...startsDefault, month: 2 };
    expect(opened({ period: "quarter", starts: fiscal })).toEqual(new Date("2026-10-31T16:00:00Z"));
    expect(opened({ period: "year", starts: fiscal })).toEqual(new Date("2026-01-31T16:00:00Z"));
  });

  test("one opened by hand begins there, ends with its period, and only in that one", () => {
    const rhythm = rhythmOf({});
    const sinceMs = at("2026-11-18T12:00:00Z");
    const december = at("2026-12-01T00:00:00Z");
    expect(found(rhythm, sinceMs + 5, sinceMs)).toEqual({
      openedAtMs: sinceMs,
      closesAtMs: december,
    });
    expect(found(rhythm, december, sinceMs).openedAtMs).toBe(december);
    // A node whose clock is behind is in it as well.
    expect(found(rhythm, sinceMs - 5, sinceMs).openedAtMs).toBe(sinceMs);
  });

  test("hours of first use are open for their length, then for nobody until one opens them", () => {
    const rhythm = rhythmOf({ period: "hours", hours: 5, hoursFrom: "first_use" });
    const sinceMs = at("2026-11-18T12:34:56Z");
    const closesAtMs = sinceMs + 5 * 3_600_000;
    expect(found(rhythm, sinceMs, sinceMs)).toEqual({ openedAtMs: sinceMs, closesAtMs });
    expect(found(rhythm, closesAtMs - 1, sinceMs)).toEqual({ openedAtMs: sinceMs, closesAtMs });
    expect(windowOf(rhythm, closesAtMs, sinceMs)).toBeNull();
  });

  test("forever never closes", () => {
    const rhythm = rhythmOf({ period: "forever" });
    expect(found(rhythm, lastMs, 17)).toEqual({ openedAtMs: 17, closesAtMs: null });
  });
});
