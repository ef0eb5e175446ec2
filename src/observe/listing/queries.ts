// The SQL by which the usage log is read, newest first.
import { sql, type RawBuilder } from "kysely";
import { timeOfId } from "../../core/ids.ts";
import { place, type LogQuery } from "../../store/log.ts";
import type { Value } from "../../store/store.ts";
import { usageColumns } from "../../store/usage-columns.ts";
import { measureValues } from "../rollup/queries.ts";
import { measures, type Measure } from "../rollup/rollup.ts";
import type { UsageRow } from "../usage-row.ts";

export interface UsageFilter {
  accountId?: string;
  /** Any of them. */
  keyIds?: readonly string[];
  model?: string;
  channelId?: string;
  status?: number;
  /** From this moment on. */
  fromMs?: number;
  /** Up to, but without, this moment. */
  toMs?: number;
  /** Id of a request, or of a task: then the request that made it and its end. */
  requestId?: string;
  outcome?: string;
  /** Only what was refused or failed, or only the rest. */
  isFailed?: boolean;
  /** Any of them. */
  routes?: readonly string[];
  errorCode?: string;
  group?: string;
  label?: string;
  isStream?: boolean;
  attemptsMin?: number;
  latencyMinMs?: number;
  microsMin?: number;
}

/**
 * A place in the log: what comes next is older, or of the same moment and written before the row of
 * that id. The number of a row would tell how many others were written meanwhile.
 */
export interface ListPlace {
  atMs: number;
  /** Null: everything of the moment comes next. */
  id: string | null;
}

export interface UsagePage {
  limit: number;
  offset: number;
  after?: ListPlace | undefined;
}

/** A longer page is cut to this. */
export const pageRowsMax = 1000;

const columns = sql.join(usageColumns.map((column) => sql.ref(column)));
const newestFirst = sql`order by at_ms desc, ${place} desc`;

/** Newest first; of the same moment, the last that was written. */
export function listUsage(
  filter: UsageFilter,
  { limit, offset, after }: UsagePage,
): LogQuery<UsageRow> {
  const rowsMax = Math.min(Math.max(limit, 0), pageRowsMax);
  // The index alone finds the rows, and only those are looked up.
  return sql<UsageRow>`select ${columns} from usage_log
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

/** Sums of some rows, and their number: at most `most`. */
export type RowSums = Record<Measure | "rows", number>;

export function sumRows(filter: UsageFilter, most: number): LogQuery<RowSums> {
  const sums = measures.map((measure) => {
    const sum = sql`sum(cast(${sql.raw(measureValues[measure])} as double precision))`;
    return sql`coalesce(${sum}, 0) as ${sql.id(measure)}`;
  });
  return sql`select count(*) as rows, ${sql.join(sums)} from (
    select * from usage_log${where(filter)} limit ${most}) as summed`;
}

/** One row with the moment of the oldest row, null when there is none. */
export const findOldest: LogQuery<{ atMs: number | null }> = sql`
  select min(at_ms) as "atMs" from usage_log`;

/** About how many rows there are, without counting them: old ones go, and none in between. */
export const findExtent: LogQuery<{ rows: number | null }> = sql`
  select (select max(${place}) from usage_log) - (select min(${place}) from usage_log) + 1 as rows`;

const operators = {
  accountId: sql`account_id =`,
  model: sql`model =`,
  channelId: sql`channel_id =`,
  status: sql`status =`,
  fromMs: sql`at_ms >=`,
  toMs: sql`at_ms <`,
  id: sql`id =`,
  taskId: sql`task_id =`,
  outcome: sql`outcome =`,
  errorCode: sql`error_code =`,
  group: sql`group_name =`,
  label: sql`label =`,
  attemptsMin: sql`attempts >=`,
  latencyMinMs: sql`latency_ms >=`,
  microsMin: sql`micros >=`,
};
type Condition = keyof typeof operators;

/** Only these fixed conditions enter the text; what is asked for is always bound. */
function where(filter: UsageFilter, after?: ListPlace): RawBuilder<unknown> {
  const conditions = conditionsOf(filter).map(([name, value]) => sql`${operators[name]} ${value}`);
  const { isFailed, isStream, routes, keyIds } = filter;
  if (isFailed === true) conditions.push(sql`outcome not in ('ok', 'client_abort')`);
  if (isFailed === false) conditions.push(sql`outcome in ('ok', 'client_abort')`);
  if (isStream !== undefined) conditions.push(sql`stream = ${isStream ? 1 : 0}`);
  if (routes) conditions.push(sql`route in (${listed(routes)})`);
  if (keyIds) conditions.push(sql`key_id in (${listed(keyIds)})`);
  if (after) {
    const { atMs, id } = after;
    conditions.push(sql`at_ms <= ${atMs}`);
    if (id !== null) {
      const last = sql`(select min(${place}) from usage_log where at_ms = ${atMs} and id = ${id})`;
      conditions.push(sql`(at_ms < ${atMs} or ${place} < ${last})`);
    }
  }
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

function listed(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql`${value}`));
}

/** The id of a request tells its own moment, and moments are indexed; so are the ids of tasks. */
function conditionsOf(all: UsageFilter): [Condition, Value][] {
  const { requestId, isFailed: _failed, isStream: _stream, ...rest } = all;
  const { routes: _routes, keyIds: _keys, ...filter } = rest;
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

/** Fields that find rows in an index; the rest of a filter passes some of them over. */
const leading: readonly string[] = ["accountId", "fromMs", "toMs"];

/**
 * Cost of passing a row over: nothing when every row that is found is wanted, little when that is
 * seen from the index, and much when the row must be looked up.
 */
export function passingOver({ requestId, ...filter }: UsageFilter): "none" | "cheap" | "dear" {
  // A request's id leads to one moment, a task's to its few rows; any other text leads nowhere.
  if (requestId !== undefined) return timeOfId(requestId) === null ? "dear" : "none";
  const passing = Object.keys(filter).filter((name) => !leading.includes(name));
  const covered = ["model", "status", filter.accountId === undefined ? "channelId" : "keyIds"];
  if (passing.length === 0) return "none";
  return passing.every((name) => covered.includes(name)) ? "cheap" : "dear";
}
