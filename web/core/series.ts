// Sums over time, as `/api/series` tells them: what is asked, and every step of the answer in a
// grid, also those in which nothing was.
import type { SeriesAnswer, SeriesSums } from "../../src/admin/contract.ts";
import { withQuery } from "./api.ts";
import { useAsked } from "./control.ts";
import { clock, moment } from "./format.ts";
import { scoped, scopedAt } from "./session.ts";
import type { Span } from "./span.ts";
import { zoneMinutes } from "./zone.ts";

type Wanted = Record<string, string | number | boolean | null | undefined>;

export function seriesPath({ from, to, step }: Span, wanted: Wanted = {}): string {
  return withQuery(scoped("/api/series"), { from, to, step, tz: zoneMinutes(), ...wanted });
}

/** The answer to the same; null asks nothing. */
export function useSeries(span: Span | null, wanted: Wanted = {}, everyMs = 0) {
  const at = scopedAt("GET /api/series", "GET /api/series/self");
  const { from, to, step } = span ?? {};
  const query = { from, to, step, tz: zoneMinutes(), ...wanted };
  return useAsked(span && at, { query }, everyMs);
}

export type Measure = (sums: SeriesSums) => number | null;

export interface GridLine {
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
  const { from, to, step } = answer;
  const starts: number[] = [];
  for (let at = from; at < to; at += step) starts.push(at);
  const lines = answer.series.map(({ name, label, points }) => {
    const values = starts.map((): number | null => null);
    for (const point of points) values[Math.floor((point.at - from) / step)] = measure(point);
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
  const { from, to, step, series } = answer;
  const values = Array.from({ length: Math.ceil((to - from) / step) }, (): number | null => null);
  for (const point of series[0]?.points ?? []) {
    values[Math.floor((point.at - from) / step)] = measure(point);
  }
  return values;
}

export function startsOf({ from, to, step }: Pick<SeriesAnswer, "from" | "to" | "step">): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);
}

/** Label of a step's beginning under its column. */
export function stepLabel(at: number, step: number): string {
  if (step >= 86_400) return moment(at, "day");
  if (step >= 21_600) return `${moment(at, "day")} ${clock(at)}`;
  return clock(at);
}
