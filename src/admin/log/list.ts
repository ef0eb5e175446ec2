// The usage log as people read it: one row a request, and one for the end of each task.
import { invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { readUsernames } from "../../identity/queries.ts";
import { readUsage, totalMax } from "../../observe/listing/read-usage.ts";
import type { ListPlace, UsageFilter } from "../../observe/listing/queries.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import type { ListedLog, LogView } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import { readOwnFilter, readFilter } from "./filter.ts";
import { readTries, toAttemptView, toOwnAttemptView } from "./tries.ts";

/** Everyone's requests, or those of the `account` that is named. */
export async function listLog(
  needs: RecordNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<ListedLog> {
  const filter = await readFilter(needs, query);
  return await list(needs, { filter, query }, async (rows) => {
    const ids = [...new Set(rows.map(({ accountId }) => accountId as AccountId))];
    const usernames = await readUsernames(needs.database, ids);
    const tries = await readTries(needs, filter, rows);
    return rows.map((row) => ({
      ...toView(row),
      account: usernames.get(row.accountId) ?? row.accountId,
      channel: row.channelName,
      channel_id: row.channelId,
      attempts: row.attempts,
      ...tries(row, toAttemptView),
    }));
  });
}

/** The operator's own requests, without what is the gateway's own affair. */
export async function listOwnLog(
  needs: RecordNeeds,
  operator: Operator,
  query: URLSearchParams,
): Promise<ListedLog> {
  const filter = readOwnFilter(operator, query);
  return await list(needs, { filter, query }, async (rows) => {
    const tries = await readTries(needs, filter, rows);
    return rows.map((row) => ({ ...toView(row), ...tries(row, toOwnAttemptView) }));
  });
}

async function list(
  needs: RecordNeeds,
  { filter, query }: { filter: UsageFilter; query: URLSearchParams },
  toViews: (rows: UsageRow[]) => Promise<LogView[]>,
): Promise<ListedLog> {
  const page = readPage(query);
  const after = readCursor(query);
  if (after === undefined && page.offset + page.limit > totalMax) {
    throw invalid("p", `goes beyond ${totalMax} rows: go on with the cursor in next`);
  }
  const offset = after === undefined ? page.offset : 0;
  await awaitLog(needs);
  const usage = await readUsage(needs.store, filter, { limit: page.limit, offset, after });
  return {
    ...toListed(page, await toViews(usage.rows), usage.total),
    total_is_exact: usage.isTotalExact,
    next: usage.next && [usage.next.atMs, usage.next.id ?? []].flat().join("-"),
  };
}

function readCursor(query: URLSearchParams): ListPlace | undefined {
  const text = query.get("cursor");
  if (text === null || text === "") return undefined;
  const [, atMs, id] = /^(\d{1,15})(?:-([\w-]{1,80}))?$/.exec(text) ?? [];
  if (atMs === undefined) throw invalid("cursor", "must be the next of a page before");
  return { atMs: Number(atMs), id: id ?? null };
}

function toView(row: UsageRow): LogView {
  return {
    time: row.atMs / 1000,
    request_id: row.id,
    kind: row.kind,
    task_id: row.taskId,
    key_id: row.keyId,
    key_name: row.keyName,
    group: row.group,
    route: row.route,
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
