// The SQL of the usage log. Creating it is SQLite's own dialect; the rest is plain
// SQL with numbered parameters in their order, which SQLite and PostgreSQL both take.
import { timeOfId } from "../core/ids.ts";
import type { Program, Statement } from "../store/store.ts";
import type { UsageRow } from "./usage-log.ts";

/** Each column with its type and the field it keeps, in the order of the insert's values. */
const columns = [
  ["id", "text not null", "id"],
  ["at_ms", "integer not null", "atMs"],
  ["account_id", "text not null", "accountId"],
  ["key_id", "text not null", "keyId"],
  ["key_name", "text not null", "keyName"],
  ["group_name", "text not null", "group"],
  ["route", "text not null", "route"],
  ["model", "text not null", "model"],
  ["channel_id", "text", "channelId"],
  ["channel_name", "text", "channelName"],
  ["status", "integer not null", "status"],
  ["outcome", "text not null", "outcome"],
  ["stream", "integer not null", "stream"],
  ["input_tokens", "integer not null", "inputTokens"],
  ["output_tokens", "integer not null", "outputTokens"],
  ["cache_read_tokens", "integer not null", "cacheReadTokens"],
  ["cache_write_tokens", "integer not null", "cacheWriteTokens"],
  ["reasoning_tokens", "integer not null", "reasoningTokens"],
  ["estimated", "integer not null", "estimated"],
  ["micros", "integer not null", "micros"],
  ["latency_ms", "integer not null", "latencyMs"],
  ["first_byte_ms", "integer", "firstByteMs"],
  ["attempts", "integer not null", "attempts"],
  ["ip", "text not null", "ip"],
  ["error_code", "text", "errorCode"],
] as const satisfies readonly (readonly [string, string, keyof UsageRow])[];

const names = columns.map(([name]) => name).join(", ");
const definitions = columns.map(([name, type]) => `${name} ${type}`).join(", ");

/** One list of statements for each version of the log's database. */
export const usageLogMigrations: readonly string[][] = [
  [
    `create table usage_log (${definitions}) strict`,
    "create index usage_log_account_at on usage_log (account_id, at_ms)",
    "create index usage_log_at on usage_log (at_ms)",
  ],
];

export const usageProgram = "usage";

/** A commit is whole or not at all, so a batch that is sent again was not written before. */
export const usageSteps: Program = {
  steps: [
    {
      list: "expired",
      rows: "any",
      // A few at a time, so that the log's thread is never long at it.
      sql: `delete from usage_log where rowid in (
              select rowid from usage_log where at_ms < ? order by at_ms limit 10000)`,
    },
    {
      list: "rows",
      sql: `insert into usage_log (${names}) values (${columns.map(() => "?").join(", ")})`,
    },
  ],
};

/** The document of the usage program. */
export function encodeUsageRows(rows: readonly UsageRow[]): string {
  return JSON.stringify({
    rows: rows.map((row) => columns.map(([, , field]) => encodeValue(row[field]))),
  });
}

/** The document that forgets what is older; it is to be run again while there may be more. */
export function encodeExpiry(beforeMs: number): string {
  return JSON.stringify({ expired: [[beforeMs]] });
}

/** A value the table cannot refuse: one bad row would hold up every row behind it. */
function encodeValue(value: UsageRow[keyof UsageRow]): string | number | null {
  switch (typeof value) {
    case "boolean":
      return value ? 1 : 0;
    case "number": {
      const whole = Math.round(value);
      return Number.isSafeInteger(whole) ? whole : 0;
    }
    default:
      return value;
  }
}

export interface UsageFilter {
  accountId?: string;
  keyId?: string;
  model?: string;
  status?: number;
  /** From this moment on. */
  fromMs?: number;
  /** Up to, but without, this moment. */
  toMs?: number;
  requestId?: string;
}

/** A longer page is cut to this. */
export const pageRowsMax = 1000;

export interface UsagePage {
  limit: number;
  offset: number;
}

/** A row as the database gives it: the fields of UsageRow, with 0 and 1 for false and true. */
export interface StoredUsageRow extends Omit<UsageRow, "stream" | "estimated"> {
  stream: number;
  estimated: number;
}

const conditions: Readonly<Record<keyof UsageFilter, string>> = {
  accountId: "account_id =",
  keyId: "key_id =",
  model: "model =",
  status: "status =",
  fromMs: "at_ms >=",
  toMs: "at_ms <",
  requestId: "id =",
};

const fields = columns.map(([name, , field]) => `${name} as "${field}"`).join(", ");

/** Newest first. */
export function listUsage(filter: UsageFilter, { limit, offset }: UsagePage): Statement {
  const { condition, parameters } = where(filter);
  const from = parameters.length;
  return {
    sql: `select ${fields} from usage_log${condition}
order by at_ms desc, id desc limit $${from + 1} offset $${from + 2}`,
    parameters: [...parameters, Math.min(Math.max(limit, 0), pageRowsMax), Math.max(offset, 0)],
  };
}

/** One row with the number as `total`. */
export function countUsage(filter: UsageFilter): Statement {
  const { condition, parameters } = where(filter);
  return { sql: `select count(*) as total from usage_log${condition}`, parameters };
}

export function toUsageRow(stored: StoredUsageRow): UsageRow {
  return { ...stored, stream: stored.stream !== 0, estimated: stored.estimated !== 0 };
}

/** Only these fixed conditions enter the text; what is asked for is always bound. */
function where(filter: UsageFilter): { condition: string; parameters: (string | number)[] } {
  const parts: string[] = [];
  const parameters: (string | number)[] = [];
  const found = withTimeOfId(filter);
  for (const name of conditionNames) {
    const value = found[name];
    if (value === undefined) continue;
    parameters.push(value);
    parts.push(`${conditions[name]} $${parameters.length}`);
  }
  return { condition: parts.length === 0 ? "" : ` where ${parts.join(" and ")}`, parameters };
}

const conditionNames: readonly (keyof UsageFilter)[] = [
  "accountId",
  "keyId",
  "model",
  "status",
  "fromMs",
  "toMs",
  "requestId",
];

/** An id tells its own moment, and moments are indexed. */
function withTimeOfId(filter: UsageFilter): UsageFilter {
  const atMs = filter.requestId === undefined ? null : timeOfId(filter.requestId);
  return atMs === null ? filter : { ...filter, fromMs: atMs, toMs: atMs + 1 };
}
