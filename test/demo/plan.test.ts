// The plan of the demo's month.
import { describe, expect, test } from "bun:test";
import { planMonth, startOfDay } from "./plan.ts";

const ask = { seed: "one", endMs: Date.UTC(2026, 5, 30, 16), days: 30, share: 0.6 };

function isWeekend(atMs: number): boolean {
  return [0, 6].includes(new Date(atMs).getUTCDay());
}

describe("the plan of a month", () => {
  test("follows from its seed", () => {
    expect(planMonth(ask)).toEqual(planMonth(ask));
    expect(planMonth(ask)).not.toEqual(planMonth({ ...ask, seed: "another" }));
  });

  test("has some thousands of requests, in order, and none after its end", () => {
    const moments = planMonth(ask).map(({ atMs }) => atMs);
    expect(moments.length).toBeGreaterThan(4000);
    expect(moments.length).toBeLessThan(9000);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(moments.at(-1)).toBeLessThan(ask.endMs);
  });

  test("has far less work at weekends", () => {
    const days = new Map<number, number>();
    for (const { atMs } of planMonth(ask)) {
      days.set(startOfDay(atMs), (days.get(startOfDay(atMs)) ?? 0) + 1);
    }
    const counts = (isFree: boolean) =>
      Array.from(days).flatMap(([day, count]) => (isWeekend(day) === isFree ? [count] : []));
    expect(Math.max(...counts(true)) * 2).toBeLessThan(Math.min(...counts(false)));
  });
});
