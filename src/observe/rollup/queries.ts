// The SQL of the sums of days: how they grow with the log's rows, how they go, how they are read.
// What is counted is said once, in the words of the log's table.
import { sql, type RawBuilder } from "kysely";
import { dayMs } from "../../core/day.ts";
import type { LogQuery } from "../../store/log.ts";
import { TableStep } from "../../store/step.ts";
import { labelsMax, otherLabels } from "../label.ts";
import {
  channelMeasures,
  eachMeasure,
  measures,
  rollups,
  sumMax,
  type Dimension,
  type ChannelMeasure,
  type Dimensions,
  type Measure,
  type Rollup,
} from "./rollup.ts";

/** The words of the log's rows for what they are summed by. */
export const dimensionValues: Readonly<Record<Dimension, string>> = {
  account_id: "account_id",
  day: `cast(at_ms / ${dayMs} as integer)`,
  key_id: "key_id",
  // The rule of countedModel.
  model: "case when outcome = 'ok' or channel_id is not null then model else '' end",
  channel_id: "coalesce(channel_id, '')",
  label: "label",
};

/** A client that left has had no failure, and the end of a task is no request. */
export const measureValues: Readonly<Record<Measure, string>> = {
  ...eachMeasure((measure) => measure),
  requests: "case when kind = 'request' then 1 else 0 end",
  failures: "case when outcome not in ('ok', 'client_abort') then 1 else 0 end",
  // Counted at its charge where nobody knows, so that no margin is shown that may not be there.
  cost_micros: "coalesce(cost_micros, micros)",
};

/**
 * Measures of the last attempt, which is the only one on the row's channel that may have gone well.
 */
export const channelMeasureValues: Readonly<Record<ChannelMeasure, string>> = {
  attempts: "case when channel_id is not null and attempts > failed_attempts then 1 else 0 end",
  attempt_failures: `case when outcome = 'upstream_error' and channel_id is not null
    and attempts > failed_attempts then 1 else 0 end`,
};

/** This and the next to run behind the step of the rows that are summed, in one commit. */
export const usageDayStep = new TableStep({
  list: "rows",
  table: "usage_day",
  cells: (row) => [...rollups.usage_day, ...measures].map((column) => row[column]),
  action: {
    kind: "sum",
    of: "usage_log",
    key: rollups.usage_day,
    values: { ...dimensionValues, ...measureValues },
    max: sumMax,
  },
});

const channelColumns = [...rollups.usage_channel_day, ...measures, ...channelMeasures] as const;

export const usageChannelDayStep = new TableStep({
  list: "rows",
  table: "usage_channel_day",
  cells: (row) => channelColumns.map((column) => row[column]),
  action: {
    kind: "sum",
    of: "usage_log",
    key: rollups.usage_channel_day,
    values: { ...dimensionValues, ...measureValues, ...channelMeasureValues },
    max: sumMax,
  },
});

/** A client makes up labels, so they are bounded. */
export const usageLabelDayStep = new TableStep({
  list: "rows",
  table: "usage_label_day",
  cells: (row) => [...rollups.usage_label_day, ...measures].map((column) => row[column]),
  action: {
    kind: "sum",
    of: "usage_log",
    key: rollups.usage_label_day,
    values: { ...dimensionValues, ...measureValues },
    max: sumMax,
    names: {
      column: "label",
      within: ["account_id", "day"],
      most: labelsMax,
      rest: otherLabels,
    },
  },
});

/** Cells in journals: what is summed since has no cell here. */
const failedColumns = [
  ...rollups.usage_channel_day,
  ...measures.filter((measure) => measure !== "cost_micros"),
  ...channelMeasures,
] as const;

/** Attempts that failed, which may have been on other channels than the one of the row. */
export const failedAttemptStep = new TableStep({
  list: "failedAttempts",
  table: "usage_channel_day",
  cells: (row) => failedColumns.map((column) => row[column]),
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

/** Spending on each channel on a day, at cost prices. */
export function sumChannelCosts(
  day: number,
): LogQuery<{ channel_id: string; cost_micros: number | string }> {
  return sql`select channel_id, sum(cost_micros) as cost_micros from usage_channel_day
    where day = ${day} group by channel_id`;
}

/** Forgets the sums of days before the day: to be run once a day, when there is one day to go. */
export function forgetDays(day: number): LogQuery<unknown>[] {
  return [
    sql`${everyAccount} delete from usage_day where (account_id, day, key_id, model) in (
      select account_id, day, key_id, model from every join usage_day using (account_id)
      where day < ${day})`,
    sql`delete from usage_channel_day where day < ${day}`,
    sql`delete from usage_label_day where day < ${day}`,
  ];
}

/** Micros by account, key and day, of the sums and of the rows that are left. */
export const listDayMicros: LogQuery<DayMicros> = sql`
  select account_id, key_id, day, sum(micros) as micros from usage_day group by 1, 2, 3`;
export const listRowMicros: LogQuery<DayMicros> = sql`
  select account_id, key_id, cast(at_ms / ${sql.lit(dayMs)} as integer) as day,
    sum(micros) as micros from usage_log group by 1, 2, 3`;
/** One row where anybody but these has asked for something since that day. */
export function findOtherPayer(accounts: readonly string[], sinceDay: number) {
  const others: LogQuery<{ account_id: string }> = sql`
    select account_id from usage_day where day >= ${sinceDay} and requests > 0
      and account_id not in (${sql.join(accounts.map((id) => sql`${id}`))}) limit 1`;
  return others;
}

export interface DayMicros {
  account_id: string;
  key_id: string;
  day: number;
  micros: number;
}

export interface SumFilter {
  fromDay: number;
  /** The first day after. */
  toDay: number;
  accountId?: string;
  /** Any of these. */
  keyIds?: readonly string[];
  model?: string;
  channelId?: string;
  label?: string;
}

/** Null where no sums are kept that way. */
export function chooseRollup(filter: SumFilter, by: readonly Dimension[]): Rollup | null {
  const needed = new Set<Dimension>([...by, ...conditionsOf(filter).map(([name]) => name)]);
  if (needed.has("label")) {
    const isKept = needed.isSubsetOf(new Set<Dimension>(rollups.usage_label_day));
    return isKept ? "usage_label_day" : null;
  }
  const isCovered = needed.isSubsetOf(new Set<Dimension>(rollups.usage_channel_day));
  if (isCovered) return "usage_channel_day";
  return needed.has("channel_id") ? null : "usage_day";
}

/** A row as the database gives it: the dimensions it was asked by, and every measure. */
export type SumRow = Partial<Dimensions> &
  Record<Measure, number> &
  Partial<OfChannels> &
  WholeSums;
type OfChannels = Record<ChannelMeasure | `whole_${ChannelMeasure}`, number>;
/**
 * Totals over all groups that each row also has, on whatever page: how many they are, and their
 * sums.
 */
type WholeSums = Record<"groups" | `whole_${Measure}`, number>;

/** Measures of each table. */
const measuresOf = {
  usage_day: measures,
  usage_channel_day: [...measures, ...channelMeasures],
  usage_label_day: measures,
} as const;

/** In floating point, so that it never overflows; up to the cap it is exact. */
function sumsOf(measure: Measure | ChannelMeasure) {
  const sum = sql`sum(cast(${sql.ref(measure)} as double precision))`;
  return [
    sql`${sum} as ${sql.id(measure)}`,
    sql`sum(${sum}) over () as ${sql.id(`whole_${measure}`)}`,
  ];
}

function cappedSumsOf(measure: Measure | ChannelMeasure) {
  return [measure, `whole_${measure}`].map((column) => {
    const [sum, most] = [sql.ref(column), sql.lit(sumMax)];
    return sql`case when ${sum} < ${most} then ${sum} else ${most} end as ${sql.id(column)}`;
  });
}

const columnsOf = {
  usage_day: toColumns("usage_day"),
  usage_channel_day: toColumns("usage_channel_day"),
  usage_label_day: toColumns("usage_label_day"),
};

function toColumns(name: Rollup) {
  const sums = sql.join(measuresOf[name].flatMap(sumsOf));
  return { sums, cappedSums: sql.join(measuresOf[name].flatMap(cappedSumsOf)) };
}

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
    ...conditionsOf(filter).map(
      ([column, values]) =>
        sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql`${value}`))})`,
    ),
  ];
  const { sums, cappedSums } = columnsOf[name];
  // Some days of one account, or of the gateway as a whole, lie together.
  const isPlain = name === "usage_channel_day" || filter.accountId !== undefined;
  const rowsOf = (table: Rollup) =>
    sql`${isPlain ? sql.table(table) : sql`every join ${sql.table(table)} using (account_id)`}
      where ${sql.join(conditions, sql` and `)}`;
  const isWhole = name === "usage_label_day" && filter.label === undefined;
  return sql<SumRow>`${isPlain ? sql`` : everyAccount}
    select ${groups}, groups, ${cappedSums} from (
      select ${groups}, count(*) over () as groups, ${sums}
      from ${isWhole ? withUnlabelled(rowsOf) : rowsOf(name)} group by ${groups}
    ) as summed order by ${sql.join(order)} limit ${limit} offset ${offset}`;
}

/** Rows without a label are the remainder, so that they cost nothing to keep. */
function withUnlabelled(rowsOf: (table: Rollup) => RawBuilder<unknown>): RawBuilder<unknown> {
  const own = sql.join(measures.map((measure) => sql.ref(measure)));
  const taken = sql.join(measures.map((measure) => sql`-${sql.ref(measure)}`));
  const sums = measures.map((measure) => sql`sum(${sql.ref(measure)})`);
  const left = sql.join(sums);
  const isAny = sql.join(
    sums.map((sum) => sql`${sum} <> 0`),
    sql` or `,
  );
  const keys = sql`account_id, day, '' as label`;
  return sql`(select account_id, day, label, ${own} from ${rowsOf("usage_label_day")}
    union all select account_id, day, '', ${left} from (
      select ${keys}, ${own} from ${rowsOf("usage_day")}
      union all select ${keys}, ${taken} from ${rowsOf("usage_label_day")}
    ) as rest group by account_id, day having ${isAny}) as labelled`;
}

function conditionsOf(filter: SumFilter): [Dimension, readonly string[]][] {
  const { accountId, keyIds, model, channelId, label } = filter;
  const conditions: [Dimension, readonly string[] | string | undefined][] = [
    ["account_id", accountId],
    ["key_id", keyIds],
    ["model", model],
    ["channel_id", channelId],
    ["label", label],
  ];
  return conditions.flatMap(([column, value]): [Dimension, readonly string[]][] =>
    value === undefined ? [] : [[column, [value].flat()]],
  );
}
