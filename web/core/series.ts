// Sums over time, as `/api/series` tells them.
import { withQuery } from "./api.ts";
import { useAsked } from "./control.ts";
import { clock, moment } from "./format.ts";
import { scoped, scopedAt } from "./session.ts";
import type { Span } from "./time/span.ts";
import { zoneAsked } from "./time/zone.ts";

export { gridOf, isLastOpen, startsOf, valuesOf, type Grid, type Measure } from "./time/grid.ts";

type Wanted = Record<string, string | number | boolean | null | undefined>;

export function seriesPath({ from, to, step }: Span, wanted: Wanted = {}): string {
  return withQuery(scoped("/api/series"), { from, to, step, tz: zoneAsked(), ...wanted });
}

/** The answer to the same; null asks nothing. */
export function useSeries(span: Span | null, wanted: Wanted = {}, everyMs = 0) {
  const at = scopedAt("GET /api/series", "GET /api/series/self");
  const { from, to, step } = span ?? {};
  const query = { from, to, step, tz: zoneAsked(), ...wanted };
  return useAsked(span && at, { query }, everyMs);
}

/** Label of a step's beginning under its column. */
export function stepLabel(at: number, step: number): string {
  if (step >= 86_400) return moment(at, "day");
  if (step >= 21_600) return `${moment(at, "day")} ${clock(at)}`;
  return clock(at);
}
