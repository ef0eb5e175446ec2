// The SQL of the usage log's rows. A request has one record, which is a row of the log and the
// attempts that failed; the sums of days are made of the rows where these are written.
import { sql } from "kysely";
import type { LogQuery } from "../store/log.ts";
import type { UsageLogTable } from "../store/log-schema.ts";
import { dayOf } from "../core/day.ts";
import { TableStep, type ListedRow, type Program } from "../store/step.ts";
import { failedAttemptStep, usageChannelDayStep, usageDayStep } from "./rollup/queries.ts";
import {
  failedSlots,
  failedSlotStep,
  usageChannelSlotStep,
  usageSlotStep,
} from "./slots/queries.ts";
import { encodeCandidates } from "./candidate-note.ts";
import { attemptStep, toTrail } from "./trail/queries.ts";
import { countedModel, toWhole, zeros } from "./rollup/rollup.ts";
import type { UsageRow } from "./usage-row.ts";

export const usageStep = new TableStep({
  list: "rows",
  table: "usage_log",
  cells: (row) => [
    row.id,
    row.at_ms,
    row.account_id,
    row.key_id,
    row.key_name,
    row.group_name,
    row.route,
    row.model,
    row.channel_id,
    row.channel_name,
    row.status,
    row.outcome,
    row.stream,
    row.input_tokens,
    row.output_tokens,
    row.cache_read_tokens,
    row.cache_write_tokens,
    row.reasoning_tokens,
    row.estimated,
    row.micros,
    row.latency_ms,
    row.first_byte_ms,
    row.attempts,
    row.ip,
    row.error_code,
    row.kind,
    row.images,
    row.media_ms,
    row.task_id,
    row.failed_attempts,
    row.failed_channels,
    row.converted,
    row.candidates,
  ],
  action: { kind: "insert" },
});

/** A commit is whole or not at all, so the sums are always those of the rows. */
export const usageSteps: Program = [
  usageStep,
  usageDayStep,
  usageChannelDayStep,
  failedAttemptStep,
  attemptStep,
  usageSlotStep,
  usageChannelSlotStep,
  failedSlotStep,
];

/** The rows of a request's record, for a document of the log's program. */
export function toRecord(row: UsageRow): ListedRow[] {
  const own = usageStep.listed(toUsageLogRow(row));
  const hasMore = row.failedChannels.length > 0 || row.trail.length > 0;
  return hasMore ? [own, ...failedAttempts(row), ...failedSlots(row), ...toTrail(row)] : [own];
}

/** A document of the log's program. */
export function encodeRecords(rows: readonly UsageRow[]): string {
  const lists = Map.groupBy(rows.flatMap(toRecord), ({ list }) => list);
  const toCells = (listed: readonly ListedRow[]) => listed.map(({ cells }) => cells);
  return JSON.stringify(
    Object.fromEntries(Array.from(lists, ([list, listed]) => [list, toCells(listed)])),
  );
}

function failedAttempts(row: UsageRow): ListedRow[] {
  const day = dayOf(toWhole(row.atMs));
  const sums = { ...zeros, day, model: countedModel(row), attempts: 1, attempt_failures: 1 };
  return row.failedChannels.map((channel_id) => failedAttemptStep.listed({ ...sums, channel_id }));
}

const rowsForgottenAtOnce = 10_000;

/**
 * Forgets rows that are older, a few at a time, so that the log's thread is never long at it: to be
 * run again while there may be more.
 */
export function forgetRows(beforeMs: number): LogQuery<unknown> {
  return sql`delete from usage_log where at_ms < ${beforeMs} and at_ms <= coalesce((
    select at_ms from usage_log where at_ms < ${beforeMs} order by at_ms
    limit 1 offset ${rowsForgottenAtOnce - 1}), ${beforeMs})`;
}

/** Such that the table cannot refuse it: one bad row would hold up every row behind it. */
export function toUsageLogRow(row: UsageRow): UsageLogTable {
  return {
    id: row.id,
    at_ms: toWhole(row.atMs),
    account_id: row.accountId,
    key_id: row.keyId,
    key_name: row.keyName,
    group_name: row.group,
    route: row.route,
    model: row.model,
    channel_id: row.channelId,
    channel_name: row.channelName,
    status: toWhole(row.status),
    outcome: row.outcome,
    stream: row.stream ? 1 : 0,
    input_tokens: toWhole(row.inputTokens),
    output_tokens: toWhole(row.outputTokens),
    cache_read_tokens: toWhole(row.cacheReadTokens),
    cache_write_tokens: toWhole(row.cacheWriteTokens),
    reasoning_tokens: toWhole(row.reasoningTokens),
    estimated: row.estimated ? 1 : 0,
    micros: toWhole(row.micros),
    latency_ms: toWhole(row.latencyMs),
    first_byte_ms: row.firstByteMs === null ? null : toWhole(row.firstByteMs),
    attempts: toWhole(row.attempts),
    ip: row.ip,
    error_code: row.errorCode,
    kind: row.kind,
    images: toWhole(row.images),
    media_ms: toWhole(row.mediaMs),
    task_id: row.taskId,
    failed_attempts: row.failedChannels.length,
    failed_channels: row.failedChannels.length === 0 ? null : row.failedChannels.join(" "),
    converted: row.converted,
    candidates: encodeCandidates(row.candidates),
  };
}
