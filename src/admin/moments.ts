// Moments in queries: Unix seconds, or a day of UTC for the moment it begins.
import { unixSeconds } from "../config/fields.ts";
import { invalid } from "../core/errors.ts";
import { parseDay } from "../core/day.ts";
import { parseMomentMs } from "./span.ts";

/** Null when it is not there. */
export function readMomentMs(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text === null || text === "" ? null : parseMomentMs(text, name);
}

/** When something stops working, in Unix seconds; what is over already can only be a mistake. */
export function readExpiry(
  { clock }: { clock: { nowMs(): number } },
  moment: number | string,
): number {
  const seconds = unixSeconds(moment);
  const nowSeconds = Math.floor(clock.nowMs() / 1000);
  if (seconds > nowSeconds) return seconds;
  throw invalid("expires_at", `is in the past: ${seconds} is not after now, ${nowSeconds}.`);
}

/** A day alone. */
export function readDay(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  const day = parseDay(text);
  if (day === null) throw invalid(name, "must be a day such as 2026-11-30");
  return day;
}
