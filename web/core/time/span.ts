// Stretches of time, in whole steps.
import { zoneMinutes } from "./zone.ts";

const hour = 3600;
const day = 86_400;

/** Seconds of each range, and of one step in its charts. */
export const ranges = {
  "1h": { seconds: hour, step: 900 },
  "24h": { seconds: day, step: hour },
  "7d": { seconds: 7 * day, step: 6 * hour },
  "30d": { seconds: 30 * day, step: day },
  "90d": { seconds: 90 * day, step: day },
} as const;
export type Range = keyof typeof ranges;

export interface Span {
  /** Unix seconds. */
  from: number;
  /** The first moment after. */
  to: number;
  step: number;
}

/**
 * Whole steps, of which the last is still under way; `back` goes so many ranges into the past.
 * Days and parts of them begin and end by the clocks of the zone that is shown.
 */
export function spanOf(of: Range, back = 0, nowMs = Date.now()): Span {
  const { seconds, step } = ranges[of];
  const now = nowMs / 1000;
  if (step <= hour) {
    const to = Math.ceil(now / step) * step - back * seconds;
    return { from: to - seconds, to, step };
  }
  const end = Math.ceil((now + zoneMinutes(now) * 60) / step) * step - back * seconds;
  return { from: atClock(end - seconds), to: atClock(end), step };
}

/** The moment at which the clocks of the zone show so many seconds since 1970. */
function atClock(shown: number): number {
  const near = shown - zoneMinutes(shown) * 60;
  return shown - zoneMinutes(near) * 60;
}

/** Seconds for which quarters of an hour and hours are kept, with a day to spare. */
const quartersSeconds = 7 * day;
const hoursSeconds = 89 * day;

/** Steps that make neither a handful of columns nor a thousand, the usual one first. */
export function stepsFor({ from, to }: Pick<Span, "from" | "to">, nowMs = Date.now()): number[] {
  const age = nowMs / 1000 - from;
  const length = to - from;
  const fitting =
    length <= 2 * hour
      ? [900]
      : length <= 1.5 * day
        ? [hour, 900]
        : length <= 8 * day
          ? [6 * hour, hour, day]
          : length <= 32 * day
            ? [day, 6 * hour]
            : [day];
  const kept = fitting.filter(
    (step) => step >= day || age <= (step < hour ? quartersSeconds : hoursSeconds),
  );
  return kept.length > 0 ? kept : [length <= 2 * day && age <= hoursSeconds ? hour : day];
}

/** Whole days, the last one included, cut by the clocks of a zone. */
export function daysSpan(from: string, last: string, startOf: (day: string) => number): Span {
  const span = { from: startOf(from), to: startOf(dayAfter(last, 1)) };
  return { ...span, step: stepsFor(span)[0] ?? day };
}

export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The day so many days after another. */
export function dayAfter(date: string, by: number): string {
  return new Date(Date.parse(date) + by * day * 1000).toISOString().slice(0, 10);
}
