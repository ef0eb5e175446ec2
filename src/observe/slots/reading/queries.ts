// The SQL by which the sums of slots are read: who or what came to most, and how that went over
// time.
import { sql, type RawBuilder } from "kysely";
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
  /** What a dimension must be one of. */
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

/** The measures, and of each pair of a histogram's steps both. */
export type SlotSums = Partial<Record<SlotMeasure | `${string}_second`, number>>;

interface SlotPoint {
  /** When it begins, counted in steps of the wanted length. */
  bucket: number;
  /** Null for all that are not among those that were named. */
  name: string | null;
}

/** How slots become points: both in slots. */
interface SlotSteps {
  step: number;
  offset: number;
}

/** Those that came to most: by money, then by number. */
export function listTopNames(
  view: SlotView,
  filter: SlotFilter,
  { by, limit }: { by: SlotDimension; limit: number },
): LogQuery<{ name: string }> {
  return sql`${withOf(view, filter)} select ${sql.ref(by)} as name ${fromOf(view, filter)}
    group by 1 order by sum(cast(micros as double precision)) desc,
      sum(cast(requests as double precision)) desc, 1 limit ${sql.lit(limit)}`;
}

/** One row for each point of each of the names, oldest first. */
export function listSlots(
  view: SlotView,
  filter: SlotFilter,
  { by, names, steps }: { by: SlotDimension | null; names: readonly string[]; steps: SlotSteps },
): LogQuery<SlotPoint & SlotSums> {
  const bucket = sql`cast((slot + ${sql.lit(steps.offset)}) / ${sql.lit(steps.step)} as integer)`;
  return sql`${withOf(view, filter)} select ${bucket} as bucket, ${nameOf(by, names)} as name,
    ${sumsOf(view)} ${fromOf(view, filter)} group by 1, 2 order by 1`;
}

/** One row with the sums of all. */
export function sumSlots(view: SlotView, filter: SlotFilter): LogQuery<SlotSums> {
  return sql`${withOf(view, filter)} select ${sumsOf(view)} ${fromOf(view, filter)}`;
}

function nameOf(by: SlotDimension | null, names: readonly string[]): RawBuilder<unknown> {
  if (by === null) return sql`''`;
  if (names.length === 0) return sql`null`;
  const column = sql.ref(by);
  return sql`case when ${column} in (${valuesOf(names)}) then ${column} end`;
}

function sumsOf(view: SlotView): RawBuilder<unknown> {
  const pairs: readonly string[] = histogramColumns;
  return sql.join(
    slotMeasures[view].flatMap((measure) => {
      const column = sql.ref(measure);
      if (!pairs.includes(measure)) {
        // In floating point, so that it never overflows; up to the cap it is exact.
        const sum = sql`coalesce(sum(cast(${column} as double precision)), 0)`;
        const most = sql.lit(sumMax);
        return [sql`case when ${sum} < ${most} then ${sum} else ${most} end as ${sql.id(measure)}`];
      }
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

function withOf(view: SlotView, filter: SlotFilter): RawBuilder<unknown> {
  return isPlain(view, filter) ? sql`` : everySlotAccount;
}

function fromOf(view: SlotView, filter: SlotFilter): RawBuilder<unknown> {
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

function valuesOf(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql`${value}`));
}
