// The SQL of the usage log's rows: written in batches, with the sums of days beside them.
import type { Program } from "../store/store.ts";
import { rollupExpirySteps, rollupSteps } from "./rollup/queries.ts";
import { rollUp, rollups, toWhole } from "./rollup/rollup.ts";
import type { UsageRow } from "./usage-log.ts";

/** Each column with the field it keeps, in the order of the insert's values. */
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
] as const satisfies readonly (readonly [string, keyof UsageRow])[];

const names = usageColumns.map(([name]) => name).join(", ");

export const usageProgram = "usage";

/**
 * A commit is whole or not at all: a batch that is sent again was not written before, and the sums
 * are always those of the rows.
 */
export const usageSteps: Program = {
  summed: {
    usage_day: rollups.usage_day.length,
    usage_channel_day: rollups.usage_channel_day.length,
  },
  steps: [
    {
      list: "expired",
      rows: "any",
      // A few at a time, so that the log's thread is never long at it.
      sql: `delete from usage_log where rowid in (
              select rowid from usage_log where at_ms < ? order by at_ms limit 10000)`,
    },
    ...rollupExpirySteps,
    {
      list: "rows",
      into: `usage_log (${names})`,
      values: `(${usageColumns.map(() => "?").join(", ")})`,
    },
    ...rollupSteps,
  ],
};

/** The document of the usage program. */
export function encodeUsageRows(rows: readonly UsageRow[]): string {
  return JSON.stringify({
    rows: rows.map(toCells),
    ...rollUp(rows),
  });
}

/** The document that forgets rows that are older; it is to be run again while there may be more. */
export function encodeRowExpiry(beforeMs: number): string {
  return JSON.stringify({ expired: [[beforeMs]] });
}

/** The document that forgets the sums of days that are older. */
export function encodeDayExpiry(day: number): string {
  return JSON.stringify({ expiredDays: [[day]] });
}

/**
 * In the order of the columns, and spelled out, because it runs for every request. Numbers are such
 * that the table cannot refuse them: one bad row would hold up every row behind it.
 */
function toCells(row: UsageRow): (string | number | null)[] {
  return [
    row.id,
    toWhole(row.atMs),
    row.accountId,
    row.keyId,
    row.keyName,
    row.group,
    row.route,
    row.model,
    row.channelId,
    row.channelName,
    toWhole(row.status),
    row.outcome,
    row.stream ? 1 : 0,
    toWhole(row.inputTokens),
    toWhole(row.outputTokens),
    toWhole(row.cacheReadTokens),
    toWhole(row.cacheWriteTokens),
    toWhole(row.reasoningTokens),
    row.estimated ? 1 : 0,
    toWhole(row.micros),
    toWhole(row.latencyMs),
    row.firstByteMs === null ? null : toWhole(row.firstByteMs),
    toWhole(row.attempts),
    row.ip,
    row.errorCode,
    row.kind,
    toWhole(row.images),
    toWhole(row.mediaMs),
    row.taskId,
  ];
}
