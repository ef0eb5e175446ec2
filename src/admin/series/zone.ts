// Zones that days are cut in: a fixed number of minutes, or one whose clocks leap in spring and
// autumn, so that its days have 23 or 25 hours.
import { WallClock } from "../../core/week/wall-clock.ts";

export interface Zone {
  /** Lead over UTC at a moment. */
  offsetAt(atMs: number): number;
  /** The first moment at which the clocks on its walls show it. */
  firstAt(reading: number): number;
}

export function fixedZone(offsetMs: number): Zone {
  return { offsetAt: () => offsetMs, firstAt: (reading) => reading - offsetMs };
}

/** Zone by its name, or by its minutes east of UTC. */
export function zoneOf(zone: string | number): Zone {
  if (typeof zone === "number") return fixedZone(zone * 60_000);
  const wall = new WallClock(zone);
  return {
    offsetAt: (atMs) => wall.readingAt(atMs) - atMs,
    firstAt: (reading) => wall.firstAt(reading),
  };
}

export interface Leap {
  atMs: number;
  /** Lead over UTC from then on. */
  offsetMs: number;
}

const lookMs = 86_400_000;

/** Moments within at which the zone's lead changes, to the quarter of an hour. */
export function leapsIn({ offsetAt }: Zone, fromMs: number, toMs: number): Leap[] {
  const leaps: Leap[] = [];
  let before = offsetAt(fromMs);
  for (let atMs = fromMs; atMs < toMs; atMs += lookMs) {
    const endMs = Math.min(atMs + lookMs, toMs);
    const offsetMs = offsetAt(endMs);
    const isAfter = (quarter: number) => offsetAt(quarter) === offsetMs;
    if (offsetMs !== before) leaps.push({ atMs: firstQuarterThat(isAfter, atMs, endMs), offsetMs });
    before = offsetMs;
  }
  return leaps;
}

const quarterMs = 900_000;

function firstQuarterThat(isSo: (atMs: number) => boolean, fromMs: number, toMs: number): number {
  let [before, after] = [Math.floor(fromMs / quarterMs), Math.ceil(toMs / quarterMs)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isSo(middle * quarterMs)) after = middle;
    else before = middle;
  }
  return after * quarterMs;
}
