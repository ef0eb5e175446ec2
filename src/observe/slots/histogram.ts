// Durations of requests, in sixteen steps: enough to tell the usual from the slowest, and small
// enough to be kept for every quarter of an hour.
import type { HistogramColumn } from "../../store/log-schema.ts";

/** A step has what took less than its bound, but not less than the one before. */
const bounds = {
  first: [20, 40, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2500, 4000, 8000, 20_000],
  total: [
    25, 50, 100, 200, 400, 700, 1000, 1500, 2500, 4000, 7000, 12_000, 20_000, 45_000, 120_000,
  ],
} as const satisfies Record<string, readonly number[]>;

export type Histogram = keyof typeof bounds;

export const histograms: readonly Histogram[] = ["first", "total"];
const pairs = [0, 1, 2, 3, 4, 5, 6, 7] as const;
/** Weight of one in a pair's second step. */
export const secondOfPair = 67_108_864;

/** Each has two steps. */
export function columnsOf(histogram: Histogram): HistogramColumn[] {
  return pairs.map((pair): HistogramColumn => `${histogram}_${pair}`);
}

/** Bounds of a pair of steps, which are its start, that of its second, and its end. */
export function boundsOf(histogram: Histogram, pair: number) {
  const ends: readonly number[] = bounds[histogram];
  return {
    low: ends[2 * pair - 1] ?? 0,
    middle: ends[2 * pair] ?? 0,
    high: ends[2 * pair + 1] ?? null,
  };
}

export const histogramColumns: readonly HistogramColumn[] = histograms.flatMap(columnsOf);

interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

/**
 * Percentiles of both. Where every request has both times none ended before it began, and steps of
 * two widths must not say so.
 */
export function timesOf({ first, total }: Readonly<Record<Histogram, readonly number[]>>) {
  const [begun, ended] = [percentilesOf("first", first), percentilesOf("total", total)];
  const isOfAll = begun !== null && ended !== null && sumOf(first) === sumOf(total);
  return { first_byte: isOfAll ? noLater(begun, ended) : begun, total_time: ended };
}

function noLater(begun: Percentiles, ended: Percentiles): Percentiles {
  return {
    p50: Math.min(begun.p50, ended.p50),
    p95: Math.min(begun.p95, ended.p95),
    p99: Math.min(begun.p99, ended.p99),
  };
}

function sumOf(countsByStep: readonly number[]): number {
  return countsByStep.reduce((sum, count) => sum + count, 0);
}

/** Null where nothing was measured. Within a step they are taken to be spread evenly. */
export function percentilesOf(
  histogram: Histogram,
  countsByStep: readonly number[],
): Percentiles | null {
  const all = sumOf(countsByStep);
  if (all === 0) return null;
  const at = (share: number) => Math.round(findPlace(bounds[histogram], countsByStep, all * share));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function findPlace(ends: readonly number[], counts: readonly number[], place: number): number {
  let before = 0;
  for (const [step, count] of counts.entries()) {
    const low = ends[step - 1] ?? 0;
    // The longest step has no known end.
    const high = ends[step] ?? low;
    if (count > 0 && before + count >= place)
      return low + ((place - before) / count) * (high - low);
    before += count;
  }
  return ends.at(-1) ?? 0;
}
