// The SQL by which the usage log is read, newest first. Plain, with numbered parameters in their
// order, which SQLite and PostgreSQL both take.
import { timeOfId } from "../../core/ids.ts";
import type { Statement, Value } from "../../store/store.ts";
import { usageColumns } from "../queries.ts";
import type { UsageRow } from "../usage-log.ts";

export interface UsageFilter {
  accountId?: string;
  keyId?: string;
  model?: string;
  channelId?: string;
  status?: number;
  /** From this moment on. */
  fromMs?: number;
  /** Up to, but without, this moment. */
  toMs?: number;
  /** Of a request, or of a task: then the request that made it and its end. */
  requestId?: string;
}

/** A place in the log: what comes next is older, or of the same moment and written before. */
export interface Place {
  atMs: number;
  place: number;
}

export interface UsagePage {
  limit: number;
  offset: number;
  after?: Place | undefined;
}

/** A longer page is cut to this. */
export const pageRowsMax = 1000;

/** A row as the database gives it: the fields of UsageRow, with 0 and 1 for false and true. */
export interface StoredUsageRow extends Omit<UsageRow, "stream" | "estimated"> {
  stream: number;
  estimated: number;
  place: number;
}

export function toUsageRow({ place: _place, ...stored }: StoredUsageRow): UsageRow {
  return { ...stored, stream: stored.stream !== 0, estimated: stored.estimated !== 0 };
}

const fields = usageColumns.map(([name, field]) => `${name} as "${field}"`).join(", ");
const newestFirst = "order by at_ms desc, rowid desc";

/** Newest first; of the same moment, the last that was written. */
export function listUsage(filter: UsageFilter, { limit, offset, after }: UsagePage): Statement {
  const { condition, parameters } = where(filter, after);
  const from = parameters.length;
  // Which rows they are is read from the index alone, and only those are looked up.
  return {
    sql: `select ${fields}, rowid as place from usage_log where rowid in (
  select rowid from usage_log${condition} ${newestFirst} limit $${from + 1} offset $${from + 2}
) ${newestFirst}`,
    parameters: [...parameters, Math.min(Math.max(limit, 0), pageRowsMax), Math.max(offset, 0)],
  };
}

/** One row with the number as `total`, at most `most`. */
export function countUsage(filter: UsageFilter, most: number): Statement {
  const { condition, parameters } = where(filter);
  return {
    sql: `select count(*) as total from (
  select 1 from usage_log${condition} limit $${parameters.length + 1})`,
    parameters: [...parameters, most],
  };
}

/** One row with the moment of the oldest row as `atMs`, null when there is none. */
export const findOldest: Statement = {
  sql: 'select min(at_ms) as "atMs" from usage_log',
  parameters: [],
};

const operators = {
  accountId: "account_id =",
  keyId: "key_id =",
  model: "model =",
  channelId: "channel_id =",
  status: "status =",
  fromMs: "at_ms >=",
  toMs: "at_ms <",
  id: "id =",
  taskId: "task_id =",
} as const;
type Condition = keyof typeof operators;

/** Only these fixed conditions enter the text; what is asked for is always bound. */
function where(filter: UsageFilter, after?: Place): { condition: string; parameters: Value[] } {
  const parameters: Value[] = [];
  const bind = (value: Value) => `$${parameters.push(value)}`;
  const parts = conditionsOf(filter).map(([name, value]) => `${operators[name]} ${bind(value)}`);
  if (after) {
    const atMs = bind(after.atMs);
    parts.push(`at_ms <= ${atMs} and (at_ms < ${atMs} or rowid < ${bind(after.place)})`);
  }
  return { condition: parts.length === 0 ? "" : ` where ${parts.join(" and ")}`, parameters };
}

/** The id of a request tells its own moment, and moments are indexed; so are the ids of tasks. */
function conditionsOf({ requestId, ...filter }: UsageFilter): [Condition, Value][] {
  const moment = requestId === undefined ? null : timeOfId(requestId);
  const isTask = moment !== null && requestId?.startsWith("task_");
  const wanted: Partial<Record<Condition, Value | undefined>> = {
    ...filter,
    ...(isTask ? { taskId: requestId } : { id: requestId }),
    ...(moment !== null && !isTask && { fromMs: moment, toMs: moment + 1 }),
  };
  return (Object.entries(wanted) as [Condition, Value | undefined][]).filter(
    (one): one is [Condition, Value] => one[1] !== undefined,
  );
}

/** By what rows are found in an index; the rest of a filter passes some of them over. */
const leading: readonly string[] = ["accountId", "fromMs", "toMs"];

/**
 * What it takes to pass a row over: nothing when every row that is found is wanted, little when
 * that is seen from the index, and much when the row must be looked up.
 */
export function passingOver({ requestId, ...filter }: UsageFilter): "none" | "cheap" | "dear" {
  // A request's id leads to one moment, a task's to its few rows; any other text leads nowhere.
  if (requestId !== undefined) return timeOfId(requestId) === null ? "dear" : "none";
  const passing = Object.keys(filter).filter((name) => !leading.includes(name));
  const covered = ["model", "status", filter.accountId === undefined ? "channelId" : "keyId"];
  if (passing.length === 0) return "none";
  return passing.every((name) => covered.includes(name)) ? "cheap" : "dear";
}
