// Steps of sums over time in a grid, also those in which nothing was, by the clocks of a zone.
import type { SeriesAnswer, SeriesSums } from "../../../src/admin/contract.ts";
import { zoneMinutes } from "./zone.ts";

export type Measure = (sums: SeriesSums) => number | null;

interface GridLine {
  /** People's name for it; null for all others together. */
  label: string | null;
  /** Value for a filter. */
  name: string | null;
  values: (number | null)[];
  total: number;
}

export interface Grid {
  /** Start of each step, in Unix seconds. */
  starts: number[];
  lines: GridLine[];
}

/** The greatest `most` lines, and the rest of them as one. */
export function gridOf(answer: SeriesAnswer, measure: Measure, most = 5): Grid {
  const starts = startsOf(answer);
  const lines = answer.series.map(({ name, label, points }) => {
    const values = starts.map((): number | null => null);
    for (const point of points) values[stepAt(answer, point.at)] = measure(point);
    return { name, label: name === null ? null : (label ?? name), values, total: sumOf(values) };
  });
  const named = lines
    .filter(({ name, total }) => name !== null && total > 0)
    .sort((one, other) => other.total - one.total);
  const rest = [...named.slice(most), ...lines.filter(({ name }) => name === null)];
  const others = { name: null, label: null, ...added(rest, starts.length) };
  return { starts, lines: [...named.slice(0, most), ...(others.total > 0 ? [others] : [])] };
}

function added(lines: readonly GridLine[], count: number): Pick<GridLine, "values" | "total"> {
  const values = Array.from({ length: count }, (_, at) =>
    sumOf(lines.map(({ values: one }) => one[at] ?? null)),
  );
  return { values, total: sumOf(values) };
}

function sumOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** One value for each step, of an answer that is not grouped. */
export function valuesOf(answer: SeriesAnswer | null, measure: Measure): (number | null)[] {
  if (!answer) return [];
  const values = startsOf(answer).map((): number | null => null);
  for (const point of answer.series[0]?.points ?? []) {
    values[stepAt(answer, point.at)] = measure(point);
  }
  return values;
}

const hourSeconds = 3600;
type Steps = Pick<SeriesAnswer, "from" | "to" | "step" | "tz" | "source">;

/** Number of the step that a point is of: a day may be an hour longer or shorter than others. */
function stepAt({ from, step }: Steps, at: number): number {
  return step > hourSeconds ? Math.round((at - from) / step) : Math.floor((at - from) / step);
}

/** Start of each step, by the clocks of the zone that is shown. */
export function startsOf(answer: Steps): number[] {
  const { from, to, step, tz, source } = answer;
  const length = step > hourSeconds ? stepAt(answer, to) : Math.ceil((to - from) / step);
  const leaps = step > hourSeconds && source === "slots";
  return Array.from({ length }, (_, number) => {
    const at = from + number * step;
    return leaps ? at + (tz - zoneMinutes(at)) * 60 : at;
  });
}

/** The last step is still under way. */
export function isLastOpen({ to }: Pick<SeriesAnswer, "to">): boolean {
  return to * 1000 > Date.now();
}
