// Stretches of time in queries: each bound in Unix seconds, or as a day of UTC for its beginning.
import { dayMs, parseDay } from "../core/day.ts";
import { invalid } from "../core/errors.ts";
import type { QueryEntry } from "../core/reference-entry.ts";
import { text } from "../core/schema-words.ts";

export const span = {
  from: { schema: text(), description: "Unix seconds, or a day.", read: parseMomentMs },
  to: { schema: text(), description: "The first moment after.", read: parseMomentMs },
} satisfies QueryEntry;

/** Bounds of a parsed query. */
export function spanOf({ from: fromMs, to: toMs }: { from?: number; to?: number }) {
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

/** A day of UTC alone, as the number of the day. */
export function parseDayAlone(day: string, name: string): number {
  const number = parseDay(day);
  if (number === null) throw invalid(name, "must be a day such as 2026-11-30");
  return number;
}

export function parseMomentMs(moment: string, name: string): number {
  if (/^\d{1,12}$/.test(moment)) return Number(moment) * 1000;
  const day = parseDay(moment);
  if (day === null) throw invalid(name, "must be Unix seconds or a day such as 2026-11-30");
  return day * dayMs;
}
