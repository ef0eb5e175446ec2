// Sums by the hour of the day and the day of the week, by the clocks of a zone.
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import type { Measure } from "../../core/series.ts";

export interface Hours {
  /** Cells by day of the week from Monday, then by hour. */
  cells: number[][];
  most: number;
}

const hourSeconds = 3600;
const daySeconds = 86_400;
/** The first of 1970 was a Thursday. */
const weekdayShift = 3;

export function hoursOf(
  answer: SeriesAnswer,
  measure: Measure,
  minutesAt: (at: number) => number,
): Hours {
  const cells = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const point of answer.series.flatMap(({ points }) => points)) {
    const local = point.at + minutesAt(point.at) * 60;
    const hour = Math.floor((local % daySeconds) / hourSeconds);
    const row = cells[(Math.floor(local / daySeconds) + weekdayShift) % 7];
    if (row) row[hour] = (row[hour] ?? 0) + (measure(point) ?? 0);
  }
  return { cells, most: Math.max(...cells.flat()) };
}
