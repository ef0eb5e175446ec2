// Windows that come back every week, by the clock on the wall of a zone. A zone that leaps skips or
// repeats an hour of its wall clock, and with it that much of a window.

export interface WeekWindow {
  /** Such as `mon-fri` or `sat,sun`; every day where it is left out. */
  days?: string;
  /** Times of day, `HH:MM`. One that ends before it begins ends on the next day. */
  from: string;
  to: string;
}

/** Minutes since Monday at midnight, the end not included. */
type Span = readonly [fromMinute: number, toMinute: number];

const dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const day = "(?:mon|tue|wed|thu|fri|sat|sun)";
export const daysPattern = `^${day}(?:-${day})?(?:,${day}(?:-${day})?)*$`;
export const timePattern = "^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$";
const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export function weekSpansOf({ days, from, to }: WeekWindow): Span[] {
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  const lasts = end > begin ? end - begin : end + dayMinutes - begin;
  return daysOf(days).flatMap((at): Span[] => {
    const start = at * dayMinutes + begin;
    const stop = start + lasts;
    if (stop <= weekMinutes) return [[start, stop]];
    return [
      [start, weekMinutes],
      [0, stop - weekMinutes],
    ];
  });
}

export function overlap(one: readonly Span[], other: readonly Span[]): boolean {
  return one.some(([from, to]) => other.some(([begin, end]) => from < end && begin < to));
}

export function isWithin(spans: readonly Span[], minute: number): boolean {
  return spans.some(([from, to]) => from <= minute && minute < to);
}

/** Tells the minute of the week in a zone, and asks for it once a minute. */
export class WeekClock {
  readonly #format: Intl.DateTimeFormat;
  #minute = Number.NaN;
  #ofWeek = 0;

  constructor(zone: string) {
    const fields = { weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
    this.#format = new Intl.DateTimeFormat("en-US", {
      ...fields,
      hourCycle: "h23",
      timeZone: zone,
    });
  }

  minuteAt(nowMs: number): number {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#ofWeek = this.#read(nowMs);
    }
    return this.#ofWeek;
  }

  #read(nowMs: number): number {
    const parts = new Map(
      this.#format.formatToParts(nowMs).map(({ type, value }) => [type, value]),
    );
    const at = dayNames.indexOf((parts.get("weekday") ?? "").toLowerCase());
    return at * dayMinutes + Number(parts.get("hour")) * 60 + Number(parts.get("minute"));
  }
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

function daysOf(days: string | undefined): number[] {
  if (days === undefined) return dayNames.map((_, at) => at);
  const named = days.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map((name) => dayNames.indexOf(name));
    const count = ((last - first + 7) % 7) + 1;
    return Array.from({ length: count }, (_, at) => (first + at) % 7);
  });
  return [...new Set(named)];
}
