// The SQL of the usage log. Inserting and creating are SQLite's own dialect; the lists are plain
// SQL with numbered parameters in their order, which SQLite and PostgreSQL both take.
import type { UsageRow } from "./usage-log.ts";

/** Each column with its type and the field it keeps, in the order of the insert's values. */
const columns = [
  ["id", "text primary key not null", "id"],
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

/** One list of statements for each version of the log's database. */
export const usageLogMigrations: readonly string[][] = [
  [
    `create table usage_log (${columns.map(([name, type]) => `${name} ${type}`).join(", ")}) strict`,
    "create index usage_log_account_at on usage_log (account_id, at_ms)",
    "create index usage_log_at on usage_log (at_ms)",
  ],
];

/**
 * Takes the text of `encodeUsageRows` as its one parameter. Rows that are already there stay as
 * they are. `where true` keeps SQLite from reading the conflict clause as a join's condition.
 */
export const insertUsage = `insert into usage_log (${names})
select ${columns.map((_, at) => `value ->> ${at}`).join(", ")}
from json_each(?) where true
on conflict (id) do nothing`;

const textLengthMax = 512;

export function encodeUsageRows(rows: readonly UsageRow[]): string {
  return JSON.stringify(rows.map((row) => columns.map(([, , field]) => encodeValue(row[field]))));
}

/**
 * A value the table cannot refuse: one bad row would hold up every row behind it. Numbers become
 * whole, and texts lose what not every database stores.
 */
function encodeValue(value: UsageRow[keyof UsageRow]): string | number | null {
  if (value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") {
    return value.slice(0, textLengthMax).toWellFormed().replaceAll("\u0000", "");
  }
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) ? whole : 0;
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

export interface Statement {
  text: string;
  parameters: (string | number)[];
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
  const { text, parameters } = where(filter);
  const from = parameters.length;
  return {
    text: `select ${fields} from usage_log${text}
order by at_ms desc, id desc limit $${from + 1} offset $${from + 2}`,
    parameters: [...parameters, Math.min(Math.max(limit, 0), pageRowsMax), Math.max(offset, 0)],
  };
}

/** One row with the number as `total`. */
export function countUsage(filter: UsageFilter): Statement {
  const { text, parameters } = where(filter);
  return { text: `select count(*) as total from usage_log${text}`, parameters };
}

export function toUsageRow(stored: StoredUsageRow): UsageRow {
  return { ...stored, stream: stored.stream !== 0, estimated: stored.estimated !== 0 };
}

/** Only these fixed conditions enter the text; what is asked for is always bound. */
function where(filter: UsageFilter): Statement {
  const parts: string[] = [];
  const parameters: (string | number)[] = [];
  for (const name of conditionNames) {
    const value = filter[name];
    if (value === undefined) continue;
    parameters.push(value);
    parts.push(`${conditions[name]} $${parameters.length}`);
  }
  return { text: parts.length === 0 ? "" : ` where ${parts.join(" and ")}`, parameters };
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
