// Moments as people say them, in the words that the control API takes: Unix seconds, or a day of
// UTC for the moment it begins.
import { InvalidArgumentError } from "commander";
import { systemClock } from "../../core/clock.ts";
import { dayOf, formatDay } from "../../core/day.ts";

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

const isMoment = /^(?:\d{1,12}|\d{4}-\d\d-\d\d)$/;
const forms =
  "It must be today, yesterday, a time ago such as 30m, 12h or 7d, a day such as 2026-11-30, " +
  "or Unix seconds.";

/** today, yesterday, 30m, 12h and 7d ago; Unix seconds and days as they are. */
export function pastOption(text: string): string {
  const nowMs = systemClock.nowMs();
  if (text === "today") return formatDay(dayOf(nowMs));
  if (text === "yesterday") return formatDay(dayOf(nowMs) - 1);
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit];
  if (seconds === undefined) {
    if (isMoment.test(text)) return text;
    throw new InvalidArgumentError(forms);
  }
  return String(Math.max(0, Math.floor(nowMs / 1000) - Number(count) * seconds));
}
