// Moments as people say them, in the words that the control API takes: Unix seconds, or a day of
// UTC for the moment it begins.
import { systemClock } from "../../core/clock.ts";
import { dayOf, formatDay } from "../../core/day.ts";

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/** today, yesterday, 30m, 12h and 7d ago; anything else as it is. */
export function pastOption(text: string): string {
  const nowMs = systemClock.nowMs();
  if (text === "today") return formatDay(dayOf(nowMs));
  if (text === "yesterday") return formatDay(dayOf(nowMs) - 1);
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit];
  if (seconds === undefined) return text;
  return String(Math.max(0, Math.floor(nowMs / 1000) - Number(count) * seconds));
}
