// The span of one look into the log, told from the sums of its days: a filter that hardly any row
// passes must not have the whole log read.
import { dayMs } from "../../core/day.ts";

/** Requests of a day. */
export interface DayCount {
  day: number;
  requests: number;
}

/**
 * The moment at which a look ends that begins at `untilMs` and goes back about `rowsMax` rows, as
 * if the rows of a day were spread over it; null when it sees all. The days come newest first.
 */
export function endOfLook(
  days: readonly DayCount[],
  untilMs: number,
  rowsMax: number,
): number | null {
  let left = rowsMax;
  for (const { day, requests } of days) {
    const startMs = day * dayMs;
    const endMs = Math.min(untilMs, startMs + dayMs);
    if (endMs <= startMs) continue;
    const rows = (requests * (endMs - startMs)) / dayMs;
    // It always goes back a little, so that one look after the other gets to the end.
    if (rows > left)
      return Math.min(endMs - 1, Math.floor(endMs - (left / rows) * (endMs - startMs)));
    left -= rows;
  }
  return null;
}
