// The clock on the wall of a zone: readings as milliseconds since 1970 as if the wall were in UTC.
// A wall that leaps ahead never shows some readings, one that leaps back shows some twice.

import { Lru } from "../lru.ts";

/** No wall is further from UTC, sun times of old included. */
const offsetMsMax = 16 * 3_600_000;

export class WallClock {
  readonly #format: Intl.DateTimeFormat | null;

  constructor(zone: string) {
    this.#format = zone === "UTC" ? null : formatOf(zone);
  }

  readingAt(atMs: number): number {
    return atMs + this.#offsetAt(atMs);
  }

  /**
   * The first moment at which the wall shows this reading or a later one. Never earlier for a later
   * reading, so what lies between two readings neither overlaps nor leaves a gap.
   */
  firstAt(reading: number): number {
    if (!this.#format) return reading;
    let [before, after] = [reading - offsetMsMax, reading + offsetMsMax];
    const [early, late] = [this.#offsetAt(before), this.#offsetAt(after)];
    if (early === late) return reading - early;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#offsetAt(middle) === early) before = middle;
      else after = middle;
    }
    const leapMs = after;
    return reading - early < leapMs ? reading - early : Math.max(leapMs, reading - late);
  }

  #offsetAt(atMs: number): number {
    if (!this.#format) return 0;
    const wholeMs = Math.floor(atMs / 1000) * 1000;
    const part = new Map<string, number>();
    for (const { type, value } of this.#format.formatToParts(wholeMs))
      part.set(type, Number(value));
    const of = (name: string) => part.get(name) ?? 0;
    const day = [of("year"), of("month") - 1, of("day")] as const;
    return Date.UTC(...day, of("hour"), of("minute"), of("second")) - wholeMs;
  }
}

/** Making one takes as long as a hundred readings. */
const formats = new Lru<string, Intl.DateTimeFormat>(1024);

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = makeFormat(zone);
  formats.set(zone, format);
  return format;
}

function makeFormat(zone: string): Intl.DateTimeFormat {
  const two = "2-digit";
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
}
