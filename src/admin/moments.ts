// Moments in queries: Unix seconds, or a day of UTC for the moment it begins.
import { invalid } from "../core/errors.ts";
import { dayMs, parseDay } from "../core/day.ts";

/** Null when it is not there. */
export function readMomentMs(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const day = parseDay(text);
  if (day === null) throw invalid(name, "must be Unix seconds or a day such as 2026-11-30");
  return day * dayMs;
}

/** A day alone. */
export function readDay(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  const day = parseDay(text);
  if (day === null) throw invalid(name, "must be a day such as 2026-11-30");
  return day;
}
