// LiteLLM's durations of budgets as periods of ours. There a day, a week and a month begin by the
// calendar in UTC as well.
import type { SnapshotBudget } from "../snapshot.ts";

const calendar: Readonly<Record<string, SnapshotBudget["rhythm"]>> = {
  "24h": { period: "day" },
  "1d": { period: "day" },
  "7d": { period: "week" },
  "1w": { period: "week" },
  "30d": { period: "month" },
  "1mo": { period: "month" },
  "3mo": { period: "quarter" },
  "12mo": { period: "year" },
};
const hoursOf: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 };
const hoursMax = 8784;

/** Null where it has no equal: less than an hour, or more than a year. */
export function rhythmOf(duration: string): SnapshotBudget["rhythm"] | null {
  const known = calendar[duration];
  if (known) return known;
  const [, count = "", unit = ""] = /^(\d{1,6})([hdw])$/.exec(duration) ?? [];
  const hours = Number(count) * (hoursOf[unit] ?? 0);
  return hours >= 1 && hours <= hoursMax ? { period: "hours", hours } : null;
}
