// Sums of slots as the program works with them: the steps of a histogram as a list, whichever way
// the database has told them.
import { readLog, type LogQuery, type LogReader } from "../../../store/log.ts";
import {
  channelMeasures,
  measures,
  sumMax,
  type ChannelMeasure,
  type Measure,
} from "../../rollup/rollup.ts";
import { columnsOf, secondOfPair, type Histogram } from "../histogram.ts";
import { slotMeasures, type SlotView } from "../slots.ts";
import type { Pairs, PointRow, SlotRow } from "./queries.ts";

type Counts = Partial<Record<Measure | ChannelMeasure, number>>;

export interface SlotSums {
  counts: Counts;
  /** Requests by step. */
  histograms: Record<Histogram, readonly number[]>;
}

export type SlotPoint = SlotSums & Pick<PointRow, "bucket" | "name">;

export async function readPointRows(
  log: LogReader,
  toQuery: (pairs: Pairs) => LogQuery<PointRow>,
): Promise<SlotPoint[]> {
  const rows = await readPairs(log, toQuery);
  return rows.map(({ bucket, name, ...row }) => ({ bucket, name, ...toSums(row) }));
}

export async function readSumRow(
  log: LogReader,
  toQuery: (pairs: Pairs) => LogQuery<SlotRow>,
): Promise<SlotSums> {
  const [row = {}] = await readPairs(log, toQuery);
  return toSums(row);
}

async function readPairs<Row extends SlotRow>(
  log: LogReader,
  toQuery: (pairs: Pairs) => LogQuery<Row>,
): Promise<Row[]> {
  const rows = await readLog(log, toQuery("together"));
  const hasTooMany = rows.some(({ requests = 0 }) => requests >= secondOfPair);
  return hasTooMany ? await readLog(log, toQuery("apart")) : rows;
}

const columns = { first: columnsOf("first"), total: columnsOf("total") };
const counted = [...measures, ...channelMeasures];

function toSums(row: SlotRow): SlotSums {
  const counts: Counts = {};
  for (const measure of counted) {
    const count = row[measure];
    if (count !== undefined) counts[measure] = count;
  }
  return { counts, histograms: { first: stepsOf(row, "first"), total: stepsOf(row, "total") } };
}

function stepsOf(row: SlotRow, histogram: Histogram): number[] {
  const steps: number[] = [];
  for (const column of columns[histogram]) {
    const count = row[column] ?? 0;
    const second = row[`${column}_second`] ?? null;
    if (second === null) steps.push(count % secondOfPair, Math.floor(count / secondOfPair));
    else steps.push(count, second);
  }
  return steps;
}

/** Sums of nothing. */
export function zeroSums(view: SlotView): SlotSums {
  const measured: readonly string[] = slotMeasures[view];
  const zeros = counted.flatMap((name) => (measured.includes(name) ? [[name, 0] as const] : []));
  return { counts: Object.fromEntries(zeros), histograms: { first: [], total: [] } };
}

/** Those of one name, of one step of time, or of all. */
export function addUp(all: readonly SlotSums[]): SlotSums {
  return combine(all, (one, other) => Math.min(one + other, sumMax));
}

/** Those of one step of time and one name are one, oldest first. */
export function mergePoints(points: readonly SlotPoint[]): SlotPoint[] {
  const merged = new Map<string, SlotPoint>();
  for (const point of points) {
    const place = `${point.bucket} ${point.name}`;
    const before = merged.get(place);
    const { bucket, name } = point;
    merged.set(place, before ? { bucket, name, ...addUp([before, point]) } : point);
  }
  return [...merged.values()].toSorted((one, other) => one.bucket - other.bucket);
}

/** Remainder of the first when the others are taken away. */
export function takeAway(all: readonly SlotSums[]): SlotSums {
  return combine(all, (one, other) => Math.max(one - other, 0));
}

function combine(
  [first, ...others]: readonly SlotSums[],
  by: (one: number, other: number) => number,
): SlotSums {
  const counts: Counts = { ...first?.counts };
  const firsts = [...(first?.histograms.first ?? [])];
  const totals = [...(first?.histograms.total ?? [])];
  for (const other of others) {
    for (const measure of counted) {
      const count = other.counts[measure];
      if (count !== undefined) counts[measure] = by(counts[measure] ?? 0, count);
    }
    join(firsts, other.histograms.first, by);
    join(totals, other.histograms.total, by);
  }
  return { counts, histograms: { first: firsts, total: totals } };
}

function join(
  steps: number[],
  more: readonly number[],
  by: (one: number, other: number) => number,
): void {
  for (let step = 0; step < more.length; step++) {
    steps[step] = by(steps[step] ?? 0, more[step] ?? 0);
  }
}
