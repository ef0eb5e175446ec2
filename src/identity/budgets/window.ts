// Windows of a budget: which one a moment falls into. A pure matter of its rhythm, so that every
// node has the same windows without asking another, and nothing is ever reset.
import type { HoursOrigin, Period } from "../../config/budget.ts";
import { assert } from "../../core/assert.ts";
import { WallClock } from "../../core/week/wall-clock.ts";

interface Starts {
  hour: number;
  /** Monday is 1. */
  weekday: number;
  /** Day of the month; the last one where the month is shorter. */
  day: number;
  /** January is 1. */
  month: number;
}

export interface Rhythm {
  period: Period;
  /** Length of a window of hours; 0 of any other. */
  hours: number;
  hoursFrom: HoursOrigin;
  zone: string;
  starts: Starts;
}

export interface Window {
  openedAtMs: number;
  /** Null: never. */
  closesAtMs: number | null;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** 1970 began on a Thursday, so the first Monday was the fifth of January. */
const firstMonday = 4;

/** Windows by their number: where each begins on the wall, and about which one a reading is in. */
interface Numbering {
  beginOf(number: number): number;
  near(reading: number): number;
}

/**
 * The window that a moment is in. One that was opened within it by hand, `sinceMs`, begins there.
 * Null where the first request is to open one.
 */
export function windowOf(rhythm: Rhythm, nowMs: number, sinceMs: number): Window | null {
  if (rhythm.period === "forever") return { openedAtMs: sinceMs, closesAtMs: null };
  if (rhythm.period === "hours") return hoursWindow(rhythm, nowMs, sinceMs);
  const numbering = numberingOf(rhythm.period, rhythm.starts);
  const wall = new WallClock(rhythm.zone);
  const beginOf = (number: number) => wall.firstAt(numbering.beginOf(number));
  let number = numbering.near(wall.readingAt(nowMs));
  while (beginOf(number) > nowMs) number--;
  while (beginOf(number + 1) <= nowMs) number++;
  return openedSince({ openedAtMs: beginOf(number), closesAtMs: beginOf(number + 1) }, sinceMs);
}

function hoursWindow(rhythm: Rhythm, nowMs: number, sinceMs: number): Window | null {
  const lengthMs = rhythm.hours * hourMs;
  assert(lengthMs > 0, "a window of hours has a length");
  if (rhythm.hoursFrom === "first_use") {
    const closesAtMs = sinceMs + lengthMs;
    return nowMs < closesAtMs ? { openedAtMs: sinceMs, closesAtMs } : null;
  }
  const openedAtMs = Math.floor(nowMs / lengthMs) * lengthMs;
  return openedSince({ openedAtMs, closesAtMs: openedAtMs + lengthMs }, sinceMs);
}

function openedSince({ openedAtMs, closesAtMs }: Window, sinceMs: number): Window {
  const isWithin = openedAtMs < sinceMs && (closesAtMs === null || sinceMs < closesAtMs);
  return { openedAtMs: isWithin ? sinceMs : openedAtMs, closesAtMs };
}

function numberingOf(period: Exclude<Period, "hours" | "forever">, starts: Starts): Numbering {
  const hourOfDay = starts.hour * hourMs;
  switch (period) {
    case "day":
      return everyDays(1, hourOfDay);
    case "week":
      return everyDays(7, (firstMonday + starts.weekday - 1) * dayMs + hourOfDay);
    case "month":
      return everyMonths(1, 0, starts);
    case "quarter":
      return everyMonths(3, (starts.month - 1) % 3, starts);
    case "year":
      return everyMonths(12, starts.month - 1, starts);
  }
}

function everyDays(days: number, firstMs: number): Numbering {
  const lengthMs = days * dayMs;
  return {
    beginOf: (number) => firstMs + number * lengthMs,
    near: (reading) => Math.floor((reading - firstMs) / lengthMs),
  };
}

function everyMonths(months: number, first: number, { day, hour }: Starts): Numbering {
  return {
    beginOf(number) {
      const month = first + number * months;
      const lastDay = new Date(Date.UTC(1970, month + 1, 0)).getUTCDate();
      return Date.UTC(1970, month, Math.min(day, lastDay), hour);
    },
    near(reading) {
      const at = new Date(reading);
      const month = (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth();
      return Math.floor((month - first) / months);
    },
  };
}
