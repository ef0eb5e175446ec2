// The usage log as people read it: one row a request.
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccountByName, readUsernames } from "../../identity/queries.ts";
import {
  countUsage,
  listUsage,
  toUsageRow,
  type StoredUsageRow,
  type UsageFilter,
} from "../../observe/queries.ts";
import type { UsageRow } from "../../observe/usage-log.ts";
import type { Listed, LogView } from "../contract.ts";
import { invalid } from "../input.ts";
import { readPage, toListed, type PageAsk } from "../page.ts";
import type { ControlParts } from "../parts.ts";

/** Everyone's requests, or those of the `account` that is named. */
export async function listLog(
  parts: ControlParts,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<LogView>> {
  const page = readPage(query);
  const { rows, total } = await readRows(parts, await readFilter(parts, query), page);
  const ids = [...new Set(rows.map(({ accountId }) => accountId as AccountId))];
  const usernames = await readUsernames(parts.database, ids);
  const views = rows.map((row) => ({
    ...toView(row),
    account: usernames.get(row.accountId) ?? row.accountId,
    channel: row.channelName,
    channel_id: row.channelId,
    attempts: row.attempts,
  }));
  return toListed(page, views, total);
}

/** The operator's own requests, without what is the gateway's own affair. */
export async function listOwnLog(
  parts: ControlParts,
  operator: Operator,
  query: URLSearchParams,
): Promise<Listed<LogView>> {
  const page = readPage(query);
  const filter = { ...readPlainFilter(query), accountId: operator.accountId };
  const { rows, total } = await readRows(parts, filter, page);
  return toListed(page, rows.map(toView), total);
}

async function readRows({ store }: ControlParts, filter: UsageFilter, page: PageAsk) {
  const stored = await store.readLog(listUsage(filter, page));
  const [counted] = await store.readLog(countUsage(filter));
  // The statement names every field of the row, so the row has them.
  const rows = (stored as unknown as StoredUsageRow[]).map(toUsageRow);
  return { rows, total: Number(counted?.["total"] ?? 0) };
}

async function readFilter(
  { database }: ControlParts,
  query: URLSearchParams,
): Promise<UsageFilter> {
  const filter = readPlainFilter(query);
  const username = query.get("account");
  if (!username) return filter;
  const account = await findAccountByName(database, username);
  if (!account) throw new GatewayError("not_found", { param: "account" });
  return { ...filter, accountId: account.id };
}

function readPlainFilter(query: URLSearchParams): UsageFilter {
  const model = query.get("model");
  const keyId = query.get("key");
  const requestId = query.get("request_id");
  const status = readNumber(query, "status");
  const from = readNumber(query, "from");
  const to = readNumber(query, "to");
  return {
    ...(model && { model }),
    ...(keyId && { keyId }),
    ...(requestId && { requestId }),
    ...(status !== null && { status }),
    ...(from !== null && { fromMs: from * 1000 }),
    ...(to !== null && { toMs: to * 1000 }),
  };
}

function readNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  if (!/^\d{1,12}$/.test(text)) throw invalid(name, "must be a whole number");
  return Number(text);
}

function toView(row: UsageRow): LogView {
  return {
    time: row.atMs / 1000,
    request_id: row.id,
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
    estimated: row.estimated,
    micros: row.micros,
    latency_ms: row.latencyMs,
    first_byte_ms: row.firstByteMs,
    ip: row.ip,
    error_code: row.errorCode,
  };
}
