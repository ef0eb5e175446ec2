import { expect, test } from "bun:test";
import { dayMs, dayOf, formatDay, parseDay } from "./day.ts";

test("a day is as long as it lasts in UTC", () => {
  const day = parseDay("2026-11-30") ?? 0;
  expect(dayOf(day * dayMs)).toBe(day);
  expect(dayOf((day + 1) * dayMs - 1)).toBe(day);
  expect(dayOf((day + 1) * dayMs)).toBe(day + 1);
});

test("a day is written as it is read", () => {
  for (const text of ["1970-01-01", "2024-02-29", "2026-12-31", "9999-12-31"]) {
    const day = parseDay(text);
    expect(day === null ? null : formatDay(day)).toBe(text);
  }
});

test.each(["", "today", "2026-2-1", "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10"])(
  "%p is no day",
  (text) => expect(parseDay(text)).toBeNull(),
);

test.each(["2026-11-30T00:00:00Z", "+2026-11-30", "20261130", " 2026-11-30", "2026-11-30\n"])(
  "%p is not how a day is written",
  (text) => expect(parseDay(text)).toBeNull(),
);
