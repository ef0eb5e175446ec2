// The SQL of the usage log's rows: written in batches, with the sums of days beside them.
import { sql } from "kysely";
import { bindLog } from "../store/log.ts";
import type { UsageLogTable } from "../store/log-schema.ts";
import { defineStep, toList, type Program } from "../store/step.ts";
import type { Statement, Value } from "../store/store.ts";
import { usageChannelDayStep, usageDayStep } from "./rollup/queries.ts";
import { rollUp, toWhole } from "./rollup/rollup.ts";
import type { UsageRow } from "./usage-log.ts";

/** As the table keeps a value. */
type Stored<Field> = Field extends boolean ? 0 | 1 : Field;
/** The fields that a column can keep. */
type FieldFor<Column extends keyof UsageLogTable> = {
  [Field in keyof UsageRow]: Stored<UsageRow[Field]> extends UsageLogTable[Column] ? Field : never;
}[keyof UsageRow];
type ColumnAndField = {
  [Column in keyof UsageLogTable]: readonly [Column, FieldFor<Column>];
}[keyof UsageLogTable];

/** Each column with the field it keeps. */
export const usageColumns = [
  ["id", "id"],
  ["at_ms", "atMs"],
  ["account_id", "accountId"],
  ["key_id", "keyId"],
  ["key_name", "keyName"],
  ["group_name", "group"],
  ["route", "route"],
  ["model", "model"],
  ["channel_id", "channelId"],
  ["channel_name", "channelName"],
  ["status", "status"],
  ["outcome", "outcome"],
  ["stream", "stream"],
  ["input_tokens", "inputTokens"],
  ["output_tokens", "outputTokens"],
  ["cache_read_tokens", "cacheReadTokens"],
  ["cache_write_tokens", "cacheWriteTokens"],
  ["reasoning_tokens", "reasoningTokens"],
  ["estimated", "estimated"],
  ["micros", "micros"],
  ["latency_ms", "latencyMs"],
  ["first_byte_ms", "firstByteMs"],
  ["attempts", "attempts"],
  ["ip", "ip"],
  ["error_code", "errorCode"],
  ["kind", "kind"],
  ["images", "images"],
  ["media_ms", "mediaMs"],
  ["task_id", "taskId"],
] as const satisfies readonly ColumnAndField[];

const usageStep = defineStep({
  list: "rows",
  table: "usage_log",
  columns: usageColumns.map(([column]) => column),
  action: { kind: "insert" },
});

export const usageProgram = "usage";

/**
 * A commit is whole or not at all: a batch that is sent again was not written before, and the sums
 * are always those of the rows.
 */
export const usageSteps: Program = [usageStep, usageDayStep, usageChannelDayStep];

/** The document of the usage program. */
export function encodeUsageRows(rows: readonly UsageRow[]): string {
  const { usage_day, usage_channel_day } = rollUp(rows);
  return JSON.stringify({
    [usageStep.list]: rows.map(toUsageCells),
    ...toList(usageDayStep, usage_day),
    ...toList(usageChannelDayStep, usage_channel_day),
  });
}

const rowsForgottenAtOnce = 10_000;

/**
 * Forgets rows that are older, a few at a time, so that the log's thread is never long at it: to be
 * run again while there may be more.
 */
export function forgetRows(beforeMs: number): Statement {
  return bindLog(sql`delete from usage_log where at_ms < ${beforeMs} and at_ms <= coalesce((
    select at_ms from usage_log where at_ms < ${beforeMs} order by at_ms
    limit 1 offset ${rowsForgottenAtOnce - 1}), ${beforeMs})`);
}

function toUsageCells(row: UsageRow): Value[] {
  return usageColumns.map(([, field]) => toCell(row[field]));
}

/** Such that the table cannot refuse it: one bad row would hold up every row behind it. */
function toCell(value: UsageRow[keyof UsageRow]): Value {
  if (typeof value === "number") return toWhole(value);
  return typeof value === "boolean" ? Number(value) : value;
}
