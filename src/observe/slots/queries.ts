// The SQL of the sums of quarters of an hour: how they grow with the log's rows, how they are
// folded into hours, and how they go.
import { sql } from "kysely";
import type { HistogramColumn } from "../../store/log-schema.ts";
import type { LogQuery } from "../../store/log.ts";
import { TableStep, type ListedRow } from "../../store/step.ts";
import { channelMeasureValues, dimensionValues, measureValues } from "../rollup/queries.ts";
import { countedModel, sumMax, toWhole } from "../rollup/rollup.ts";
import { readFailedChannels, type UsageRow } from "../usage-row.ts";
import { boundsOf, columnsOf, histograms, secondOfPair, type Histogram } from "./histogram.ts";
import { firstQuarter, slotMeasures, slotMs, slotViews, slotsInHour } from "./slots.ts";

const slotValues = {
  ...dimensionValues,
  ...measureValues,
  slot: `cast(at_ms / ${slotMs} as integer)`,
  group_name: "group_name",
  route: "route",
  outcome: "outcome",
  ...histogramValues(),
};

/** The column of the log's rows that each histogram is made of. */
function histogramValues(): Record<HistogramColumn, string> {
  const measured: Readonly<Record<Histogram, string>> = {
    first: "first_byte_ms",
    total: "latency_ms",
  };
  // Only what was served says how fast it goes, and nobody waits for the end of a task.
  const isServed = "outcome = 'ok' and kind = 'request'";
  const entries = histograms.flatMap((histogram) =>
    columnsOf(histogram).map((column, pair): [string, string] => {
      const { low, middle, high } = boundsOf(histogram, pair);
      const value = measured[histogram];
      const end = high === null ? "" : ` and ${value} < ${high}`;
      const isWithin = `${value} >= ${low}${end} and ${isServed}`;
      const counted = `case when ${value} < ${middle} then 1 else ${secondOfPair} end`;
      return [column, `case when ${isWithin} then ${counted} else 0 end`];
    }),
  );
  return Object.fromEntries(entries) as Record<HistogramColumn, string>;
}

const slotColumns = [...slotViews.usage_slot, ...slotMeasures.usage_slot] as const;

/** This and the next to run behind the step of the rows that are summed, in one commit. */
export const usageSlotStep = new TableStep({
  list: "rows",
  table: "usage_slot",
  cells: (row) => slotColumns.map((column) => row[column]),
  action: {
    kind: "sum",
    of: "usage_log",
    key: slotViews.usage_slot,
    values: slotValues,
    max: sumMax,
  },
});

const channelSlotColumns = [
  ...slotViews.usage_channel_slot,
  ...slotMeasures.usage_channel_slot,
] as const;

export const usageChannelSlotStep = new TableStep({
  list: "rows",
  table: "usage_channel_slot",
  cells: (row) => channelSlotColumns.map((column) => row[column]),
  action: {
    kind: "sum",
    of: "usage_log",
    key: slotViews.usage_channel_slot,
    values: { ...slotValues, ...channelMeasureValues },
    max: sumMax,
  },
});

/** Attempts that failed, which may have been on other channels than the one of the row. */
export const failedSlotStep = new TableStep({
  list: "failedSlots",
  table: "usage_channel_slot",
  cells: (row) => [
    row.slot,
    row.channel_id,
    row.model,
    row.group_name,
    row.route,
    row.outcome,
    row.attempts,
    row.attempt_failures,
  ],
  action: { kind: "accumulate", key: slotViews.usage_channel_slot, max: sumMax },
});

export function failedSlots(row: UsageRow): ListedRow[] {
  const facts = {
    slot: Math.floor(toWhole(row.at_ms) / slotMs),
    model: countedModel(row),
    group_name: row.group_name,
    route: row.route,
    outcome: row.outcome,
    attempts: 1,
    attempt_failures: 1,
  };
  return readFailedChannels(row).map((channel_id) =>
    failedSlotStep.listed({ ...facts, channel_id }),
  );
}

/** Every account with sums, one after the other, as for those of days. */
export const everySlotAccount = sql`with recursive every (account_id) as (
  select min(account_id) from usage_slot
  union all
  select (select min(account_id) from usage_slot where account_id > every.account_id)
  from every where every.account_id is not null)`;

/** Every table whose quarters become hours, with its key and what is summed in it. */
const foldedTables = {
  usage_slot: [slotViews.usage_slot, slotMeasures.usage_slot],
  usage_channel_slot: [slotViews.usage_channel_slot, slotMeasures.usage_channel_slot],
  usage_facet_slot: [["facet", "name", "slot"], slotMeasures.usage_channel_slot],
} as const;

/** Folds the quarters of hours that are old enough into these; to be run in one commit. */
export function foldSlots(nowMs: number): LogQuery<unknown>[] {
  const before = firstQuarter(nowMs);
  return Object.entries(foldedTables).flatMap(([name, [key, measures]]) => {
    const isOld = sql`slot < ${sql.lit(before)} and slot % ${sql.lit(slotsInHour)} <> 0`;
    const columns = sql.join([...key, ...measures].map((column) => sql.ref(column)));
    const keys = key.map((column) =>
      column === "slot" ? sql`slot - slot % ${sql.lit(slotsInHour)}` : sql.ref(column),
    );
    const sums = measures.map((column) => capped(sql`sum(${sql.ref(column)})`));
    const sets = measures.map((column) => {
      const own = sql.ref(`${name}.${column}`);
      return sql`${sql.ref(column)} = ${capped(sql`${own} + ${sql.ref(`excluded.${column}`)}`)}`;
    });
    const table = sql.table(name);
    return [
      sql`insert into ${table} (${columns}) select ${sql.join([...keys, ...sums])}
        from ${table} where ${isOld}
        group by ${sql.join(key.map((_, at) => sql.lit(at + 1)))}
        on conflict (${sql.join(key.map((column) => sql.ref(column)))})
        do update set ${sql.join(sets)}`,
      sql`delete from ${table} where ${isOld}`,
    ];
  });
}

export function capped(sum: LogQuery<unknown>): LogQuery<unknown> {
  const most = sql.lit(sumMax);
  return sql`case when ${sum} < ${most} then ${sum} else ${most} end`;
}

/** Forgets the sums of slots before the slot. */
export function forgetSlots(slot: number): LogQuery<unknown>[] {
  return Object.keys(foldedTables).map(
    (name) => sql`delete from ${sql.table(name)} where slot < ${slot}`,
  );
}
