// The SQL of the sums of days: how they grow with the log's rows, how they go, how they are read.
import { sql } from "kysely";
import type { LogQuery } from "../../store/log.ts";
import { TableStep } from "../../store/step.ts";
import {
  measures,
  rollups,
  sumMax,
  type Dimension,
  type Dimensions,
  type Measure,
  type Rollup,
} from "./rollup.ts";

/** This and the next to run with the rows that are summed, in one commit. */
export const usageDayStep = new TableStep({
  list: "usage_day",
  table: "usage_day",
  cells: (row) => [...rollups.usage_day, ...measures].map((column) => row[column]),
  action: { kind: "accumulate", key: rollups.usage_day, max: sumMax },
});

export const usageChannelDayStep = new TableStep({
  list: "usage_channel_day",
  table: "usage_channel_day",
  cells: (row) => [...rollups.usage_channel_day, ...measures].map((column) => row[column]),
  action: { kind: "accumulate", key: rollups.usage_channel_day, max: sumMax },
});

/**
 * Every account with sums, one after the other: an account's days lie together, so that reading
 * some days of all accounts takes a step for each account instead of a look at everything.
 */
const everyAccount = sql`with recursive every (account_id) as (
  select min(account_id) from usage_day
  union all
  select (select min(account_id) from usage_day where account_id > every.account_id)
  from every where every.account_id is not null)`;

/** Forgets the sums of days before the day: to be run once a day, when there is one day to go. */
export function forgetDays(day: number): LogQuery<unknown>[] {
  return [
    sql`${everyAccount} delete from usage_day where (account_id, day, key_id, model) in (
      select account_id, day, key_id, model from every join usage_day using (account_id)
      where day < ${day})`,
    sql`delete from usage_channel_day where day < ${day}`,
  ];
}

export interface SumFilter {
  fromDay: number;
  /** The first day after. */
  toDay: number;
  accountId?: string;
  keyId?: string;
  model?: string;
  channelId?: string;
}

/** Null where no sums are kept that way. */
export function chooseRollup(filter: SumFilter, by: readonly Dimension[]): Rollup | null {
  const needed = new Set<Dimension>([...by, ...conditionsOf(filter).map(([name]) => name)]);
  const isCovered = needed.isSubsetOf(new Set<Dimension>(rollups.usage_channel_day));
  if (isCovered) return "usage_channel_day";
  return needed.has("channel_id") ? null : "usage_day";
}

/** A row as the database gives it: the dimensions it was asked by, and every measure. */
export type SumRow = Partial<Dimensions> & Record<Measure, number> & Record<WholeSum, number>;
/** What each row also knows of all of them, on whatever page: how many they are, and their sums. */
type WholeSum = "groups" | `whole_${Measure}`;

const columns = measures.flatMap((measure) => [measure, `whole_${measure}`] as const);
/** In floating point, so that it never overflows; up to the cap it is exact. */
const sums = measures.flatMap((measure) => {
  const sum = sql`sum(cast(${sql.ref(measure)} as double precision))`;
  return [
    sql`${sum} as ${sql.id(measure)}`,
    sql`sum(${sum}) over () as ${sql.id(`whole_${measure}`)}`,
  ];
});
const cappedSums = columns.map((column) => {
  const [sum, most] = [sql.ref(column), sql.lit(sumMax)];
  return sql`case when ${sum} < ${most} then ${sum} else ${most} end as ${sql.id(column)}`;
});

/** Newest day first, then the dearest. */
export function listSums(
  name: Rollup,
  { filter, by }: { filter: SumFilter; by: readonly Dimension[] },
  { limit, offset }: { limit: number; offset: number },
): LogQuery<SumRow> {
  const groups = sql.join(by.map((dimension) => sql.ref(dimension)));
  const rest = by.filter((dimension) => dimension !== "day").map((dimension) => sql.ref(dimension));
  const order = [...(by.includes("day") ? [sql`day desc`] : []), sql`micros desc`, ...rest];
  const conditions = [
    sql`day >= ${filter.fromDay}`,
    sql`day < ${filter.toDay}`,
    ...conditionsOf(filter).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  ];
  // Some days of one account, or of the gateway as a whole, lie together.
  const isPlain = name !== "usage_day" || filter.accountId !== undefined;
  return sql<SumRow>`${isPlain ? sql`` : everyAccount}
    select ${groups}, groups, ${sql.join(cappedSums)} from (
      select ${groups}, count(*) over () as groups, ${sql.join(sums)}
      from ${isPlain ? sql.table(name) : sql`every join usage_day using (account_id)`}
      where ${sql.join(conditions, sql` and `)} group by ${groups}
    ) as summed order by ${sql.join(order)} limit ${limit} offset ${offset}`;
}

function conditionsOf({ accountId, keyId, model, channelId }: SumFilter): [Dimension, string][] {
  const conditions: [Dimension, string | undefined][] = [
    ["account_id", accountId],
    ["key_id", keyId],
    ["model", model],
    ["channel_id", channelId],
  ];
  return conditions.filter((one): one is [Dimension, string] => one[1] !== undefined);
}
