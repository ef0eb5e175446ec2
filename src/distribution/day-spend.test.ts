import { expect, test } from "bun:test";
import { dayMs } from "../core/day.ts";
import { DaySpend } from "./day-spend.ts";

/** A clock whose days began before it was started. */
function makeClock() {
  const clock = {
    atMs: 0,
    nowMs: () => clock.atMs + 3 * dayMs + 1000,
    monotonicMs: () => clock.atMs,
  };
  return clock;
}

test("once it is spent nothing may be until midnight, and then all of it again", () => {
  const clock = makeClock();
  const spend = new DaySpend(100);
  expect(spend.spentUntilMs(0)).toBe(0);
  spend.count(99, clock);
  expect(spend.spentUntilMs(0)).toBe(0);
  spend.count(1, clock);
  expect(spend.spentUntilMs(0)).toBe(dayMs - 1000);
  expect(spend.spentUntilMs(dayMs - 1001)).toBe(dayMs - 1000);
  expect(spend.spentUntilMs(dayMs - 1000)).toBe(0);
  clock.atMs = dayMs - 1000;
  spend.count(99, clock);
  expect(spend.spentUntilMs(clock.atMs)).toBe(0);
});

test("the sum of all nodes counts where it is more, and only of the same day", () => {
  const clock = makeClock();
  const spend = new DaySpend(100);
  spend.count(60, clock);
  spend.told(50, 3, clock);
  spend.told(1000, 2, clock);
  expect(spend.spentUntilMs(0)).toBe(0);
  spend.told(90, 3, clock);
  spend.count(10, clock);
  expect(spend.spentUntilMs(0)).toBeGreaterThan(0);
});

test("another cap holds at once for what was spent before", () => {
  const clock = makeClock();
  const spend = new DaySpend(100);
  spend.count(50, clock);
  spend.update(50);
  expect(spend.spentUntilMs(0)).toBeGreaterThan(0);
  spend.update(51);
  expect(spend.spentUntilMs(0)).toBe(0);
});
