// The SQL by which the usage log is read, newest first.
import { sql, type RawBuilder } from "kysely";
import { timeOfId } from "../../core/ids.ts";
import { place, type LogQuery } from "../../store/log.ts";
import type { Value } from "../../store/store.ts";
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

const fields = usageColumns.map(([column, field]) => sql`${sql.ref(column)} as ${sql.id(field)}`);
const newestFirst = sql`order by at_ms desc, ${place} desc`;

/** Newest first; of the same moment, the last that was written. */
export function listUsage(
  filter: UsageFilter,
  { limit, offset, after }: UsagePage,
): LogQuery<StoredUsageRow> {
  const rowsMax = Math.min(Math.max(limit, 0), pageRowsMax);
  // Which rows they are is read from the index alone, and only those are looked up.
  return sql<StoredUsageRow>`select ${sql.join(fields)}, ${place} as place from usage_log
    where ${place} in (
      select ${place} from usage_log${where(filter, after)} ${newestFirst}
      limit ${rowsMax} offset ${Math.max(offset, 0)}
    ) ${newestFirst}`;
}

/** One row with the number, at most `most`. */
export function countUsage(filter: UsageFilter, most: number): LogQuery<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total from (
    select 1 from usage_log${where(filter)} limit ${most}) as counted`;
}

/** One row with the moment of the oldest row, null when there is none. */
export const findOldest: LogQuery<{ atMs: number | null }> = sql`
  select min(at_ms) as "atMs" from usage_log`;

const operators = {
  accountId: sql`account_id =`,
  keyId: sql`key_id =`,
  model: sql`model =`,
  channelId: sql`channel_id =`,
  status: sql`status =`,
  fromMs: sql`at_ms >=`,
  toMs: sql`at_ms <`,
  id: sql`id =`,
  taskId: sql`task_id =`,
};
type Condition = keyof typeof operators;

/** Only these fixed conditions enter the text; what is asked for is always bound. */
function where(filter: UsageFilter, after?: Place): RawBuilder<unknown> {
  const conditions = conditionsOf(filter).map(([name, value]) => sql`${operators[name]} ${value}`);
  if (after) {
    const { atMs } = after;
    conditions.push(sql`at_ms <= ${atMs} and (at_ms < ${atMs} or ${place} < ${after.place})`);
  }
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
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
