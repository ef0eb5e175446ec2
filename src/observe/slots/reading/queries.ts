// The SQL by which the sums of slots are read: who or what came to most, and how that went over
// time.
import { sql, type RawBuilder } from "kysely";
import type { HistogramColumn } from "../../../store/log-schema.ts";
import type { LogQuery } from "../../../store/log.ts";
import { sumMax } from "../../rollup/rollup.ts";
import { histogramColumns, secondOfPair } from "../histogram.ts";
import { everySlotAccount } from "../queries.ts";
import {
  slotMeasures,
  slotViews,
  type SlotDimension,
  type SlotMeasure,
  type SlotView,
} from "../slots.ts";

export interface SlotFilter {
  fromSlot: number;
  /** The first slot after. */
  toSlot: number;
  /** Values that a dimension must be one of. */
  only: Readonly<Partial<Record<SlotDimension, readonly string[]>>>;
}

/** Null where no sums are kept that way. */
export function chooseSlots({ only }: SlotFilter, by: SlotDimension | null): SlotView | null {
  const needed = new Set<SlotDimension>(Object.keys(only) as SlotDimension[]);
  if (by !== null) needed.add(by);
  if (needed.isSubsetOf(new Set<SlotDimension>(slotViews.usage_channel_slot))) {
    return "usage_channel_slot";
  }
  return needed.has("channel_id") ? null : "usage_slot";
}

/** Rows of the database: of each pair of a histogram's steps both in one, or apart. */
export type SlotRow = Partial<Record<SlotMeasure | `${HistogramColumn}_second`, number>>;

export interface PointRow extends SlotRow {
  /** Start, counted in steps of the wanted length. */
  bucket: number;
  /** Null for all that are not among those that were named. */
  name: string | null;
}

/** Together they are read in half the time, but no more than 2^26 requests are counted so. */
export type Pairs = "together" | "apart";

/** Conversion of slots to points: both in slots. */
export interface SlotSteps {
  step: number;
  offset: number;
  /** Slots from which on another offset holds, oldest first: clocks leap twice a year. */
  leaps?: readonly { slot: number; offset: number }[];
}

interface SlotAsk {
  /** A dimension, or what a source calls the name itself. */
  by: SlotDimension | "name" | null;
  /** Null for each by its own. */
  names: readonly string[] | null;
  steps: SlotSteps;
}

/** Rows of slots with what is summed of their view, wherever they lie. */
export interface SlotSource {
  view: SlotView;
  /** Common table expressions before the query that reads them. */
  ctes: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
}

export function toSource(view: SlotView, filter: SlotFilter): SlotSource {
  return { view, ctes: ctesOf(view, filter), from: fromOf(view, filter) };
}

/** Order by money, then by number. */
export const dearestFirst = sql`sum(cast(micros as double precision)) desc,
  sum(cast(requests as double precision)) desc`;

/** Those that came to most. */
export function listTopNames(
  { ctes, from }: SlotSource,
  { by, limit }: { by: SlotDimension; limit: number },
): LogQuery<{ name: string }> {
  return sql`${ctes} select ${sql.ref(by)} as name ${from}
    group by 1 order by ${dearestFirst}, 1 limit ${sql.lit(limit)}`;
}

/** One row for each point of each of the names, in turn, oldest first. */
export function listSlots(
  { view, ctes, from }: SlotSource,
  { by, names, steps }: SlotAsk,
  pairs: Pairs,
): LogQuery<PointRow> {
  const bucket = sql`cast((slot + ${offsetOf(steps)}) / ${sql.lit(steps.step)} as integer)`;
  // The name first: so they lie there, and are sorted in two thirds of the time.
  return sql`${ctes} select ${nameOf(by, names)} as name, ${bucket} as bucket,
    ${sumsOf(view, pairs)} ${from} group by 1, 2 order by 1, 2`;
}

function offsetOf({ offset, leaps = [] }: SlotSteps): RawBuilder<unknown> {
  if (leaps.length === 0) return sql.lit(offset);
  const later = leaps
    .toReversed()
    .map((leap) => sql`when slot >= ${sql.lit(leap.slot)} then ${sql.lit(leap.offset)}`);
  return sql`case ${sql.join(later, sql` `)} else ${sql.lit(offset)} end`;
}

/** One row with the sums of all. */
export function sumSlots({ view, ctes, from }: SlotSource, pairs: Pairs): LogQuery<SlotRow> {
  return sql`${ctes} select ${sumsOf(view, pairs)} ${from}`;
}

function nameOf(by: SlotAsk["by"], names: SlotAsk["names"]): RawBuilder<unknown> {
  if (by === null) return sql`''`;
  if (names === null) return sql.ref(by);
  if (names.length === 0) return sql`null`;
  const column = sql.ref(by);
  return sql`case when ${column} in (${valuesOf(names)}) then ${column} end`;
}

function sumsOf(view: SlotView, pairs: Pairs): RawBuilder<unknown> {
  const inPairs: readonly string[] = histogramColumns;
  return sql.join(
    slotMeasures[view].flatMap((measure) => {
      const column = sql.ref(measure);
      if (!inPairs.includes(measure)) {
        // In floating point, so that it never overflows; up to the cap it is exact.
        const sum = sql`coalesce(sum(cast(${column} as double precision)), 0)`;
        const most = sql.lit(sumMax);
        return [sql`case when ${sum} < ${most} then ${sum} else ${most} end as ${sql.id(measure)}`];
      }
      if (pairs === "together") return [sql`cast(sum(${column}) as bigint) as ${sql.id(measure)}`];
      const unit = sql.lit(secondOfPair);
      return [
        sql`cast(sum(${column} % ${unit}) as bigint) as ${sql.id(measure)}`,
        sql`cast(sum(cast(${column} / ${unit} as integer)) as bigint)
          as ${sql.id(`${measure}_second`)}`,
      ];
    }),
  );
}

/** Some slots of one account, or of the gateway as a whole, lie together; those of all do not. */
function isPlain(view: SlotView, { only }: SlotFilter): boolean {
  return view !== "usage_slot" || only.account_id !== undefined;
}

export function ctesOf(view: SlotView, filter: SlotFilter): RawBuilder<unknown> {
  return isPlain(view, filter) ? sql`` : everySlotAccount;
}

export function fromOf(view: SlotView, filter: SlotFilter): RawBuilder<unknown> {
  const table = isPlain(view, filter)
    ? sql.table(view)
    : sql`every join usage_slot using (account_id)`;
  const conditions = [
    sql`slot >= ${sql.lit(filter.fromSlot)}`,
    sql`slot < ${sql.lit(filter.toSlot)}`,
    ...Object.entries(filter.only).map(
      ([column, values]) => sql`${sql.ref(column)} in (${valuesOf(values)})`,
    ),
  ];
  return sql`from ${table} where ${sql.join(conditions, sql` and `)}`;
}

export function valuesOf(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql`${value}`));
}
