// A row of the usage log as it is shown: to its own account, and to admins.
import type { AccountId } from "../../core/ids.ts";
import { readUsernames } from "../../identity/queries.ts";
import { formatOfRoute } from "../../observe/format-of-route.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import type { LogView } from "./contract.ts";
import type { RecordNeeds } from "../record-needs.ts";

/** With whose they are and where they went. */
export async function toViews(
  { database }: Pick<RecordNeeds, "database">,
  rows: readonly UsageRow[],
): Promise<LogView[]> {
  const ids = [...new Set(rows.map(({ accountId }) => accountId as AccountId))];
  const usernames = await readUsernames(database, ids);
  return rows.map((row) => ({
    ...toView(row),
    account: usernames.get(row.accountId) ?? row.accountId,
    channel: row.channelName,
    channel_id: row.channelId,
    attempts: row.attempts,
  }));
}

/** Without what is the gateway's own affair. */
export function toView(row: UsageRow): LogView {
  return {
    time: row.atMs / 1000,
    request_id: row.id,
    kind: row.kind,
    task_id: row.taskId,
    key_id: row.keyId,
    key_name: row.keyName,
    group: row.group,
    route: row.route,
    format: formatOfRoute(row.route),
    model: row.model,
    status: row.status,
    outcome: row.outcome,
    stream: row.stream,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cache_read_tokens: row.cacheReadTokens,
    cache_write_tokens: row.cacheWriteTokens,
    reasoning_tokens: row.reasoningTokens,
    images: row.images,
    seconds: row.mediaMs / 1000,
    estimated: row.estimated,
    micros: row.micros,
    latency_ms: row.latencyMs,
    first_byte_ms: row.firstByteMs,
    ip: row.ip,
    error_code: row.errorCode,
  };
}
