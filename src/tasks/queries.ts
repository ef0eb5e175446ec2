// Tasks in the database. They are written with the ledger's batches, by the steps here; what is
// written without money is only who looks after them.
import { sql } from "kysely";
import type { AccountId, KeyId, TaskId } from "../core/ids.ts";
import { micros, type Micros } from "../core/money.ts";
import type { Database } from "../store/database.ts";
import { locksRows } from "../store/dialect.ts";
import type {
  AccountTable,
  EntryTable,
  IdempotentCreateTable,
  TaskTable,
} from "../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../store/select-page.ts";
import { TableStep } from "../store/step.ts";

export const taskStep = new TableStep({
  list: "tasks",
  table: "task",
  cells: (row) => [
    row.id,
    row.kind,
    row.account_id,
    row.key_id,
    row.group_name,
    row.family,
    row.model,
    row.job,
    row.price,
    row.held_micros,
    row.webhook_url,
    row.created_at_ms,
    row.deadline_at_ms,
    row.state,
    row.progress,
    row.channel_id,
    row.key_digest,
    row.upstream_model,
    row.next_poll_at_ms,
    row.owner,
    row.lease_until_ms,
    row.request,
    row.trace,
    row.label,
  ],
  action: { kind: "insert" },
  lacking: { lease_until_ms: 0 },
});

/**
 * A task that has ended stays as it ended, and may only be deleted. One that has not is its
 * owner's.
 */
export const taskChangeStep = new TableStep({
  list: "taskChanges",
  table: "task",
  cells: (row) => [
    row.id,
    row.state,
    row.progress,
    row.channel_id,
    row.key_digest,
    row.upstream_model,
    row.operation,
    row.result,
    row.delivered,
    row.error,
    row.next_poll_at_ms,
    row.completed_at_ms,
    row.deleted_at_ms,
    row.owner,
  ],
  action: {
    kind: "update",
    key: ["id"],
    compared: ["owner", "deleted_at_ms"],
    also: {
      // A task that one node has deleted no other brings back.
      deleted_at_ms: "coalesce(deleted_at_ms, :deleted_at_ms)",
      owner: "case when :state in ('completed', 'failed') then null else owner end",
      lease_until_ms: "case when :state in ('completed', 'failed') then 0 else lease_until_ms end",
      // Nothing is begun twice.
      request: "case when :state = 'queued' then request else null end",
    },
    where: `case when state in ('completed', 'failed') then state = :state
                 else owner is not distinct from :owner end`,
  },
});

/** The writer has looked that the one before has expired or came to nothing. */
export const createStep = new TableStep({
  list: "creates",
  table: "idempotent_create",
  cells: (row) => [
    row.account_id,
    row.idempotency_key,
    row.body_digest,
    row.task_id,
    row.created_at_ms,
  ],
  action: { kind: "replace", key: ["account_id", "idempotency_key"] },
});

/** In so many words, because only then does the index of open tasks serve. */
const isOpen = sql<boolean>`state not in ('completed', 'failed')`;

interface Claim {
  owner: string;
  /** The claim's own end. */
  untilMs: number;
  /** Leases that ended until then are free. */
  expiredMs: number;
  /** Also those that the owner had before. */
  withOwn: boolean;
  /** So many at most, so that all who claim have some; null for all. */
  limit: number | null;
}

/** Takes tasks over from whoever had them; each goes to one of those who claim it. */
export async function claimTasks(database: Database, claim: Claim): Promise<TaskTable[]> {
  const { owner, untilMs, expiredMs, withOwn, limit } = claim;
  // A condition of both statements: a task that another has taken since the first must not be taken
  // by the second.
  const isFree = withOwn
    ? sql<boolean>`(lease_until_ms <= ${expiredMs} or owner = ${owner})`
    : sql<boolean>`lease_until_ms <= ${expiredMs}`;
  const taking = database
    .updateTable("task")
    .set({ owner, lease_until_ms: untilMs })
    .where(isOpen)
    .where(isFree);
  if (limit === null) return await taking.returningAll().execute();
  const first = database
    .selectFrom("task")
    .select("id")
    .where(isOpen)
    .where(isFree)
    .orderBy("lease_until_ms")
    .limit(limit)
    .$if(locksRows(database), (query) => query.forUpdate().skipLocked());
  return await taking.where("id", "in", first).returningAll().execute();
}

interface TakeOver {
  id: TaskId;
  /** Only while it is in one of these. */
  states: readonly TaskTable["state"][];
  owner: string;
  untilMs: number;
}

/**
 * Take a task over: its former owner can change it no more. Null where it is in none of the states.
 */
export async function takeTask(database: Database, taking: TakeOver): Promise<TaskTable | null> {
  const { id, states, owner, untilMs } = taking;
  const row = await database
    .updateTable("task")
    .set({ owner, lease_until_ms: untilMs })
    .where("id", "=", id)
    .where("state", "in", states)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The order of a task, while it has not begun; null where that is not kept. */
export async function readTaskRequest(database: Database, id: TaskId): Promise<string | null> {
  const row = await database
    .selectFrom("task")
    .select("request")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.request ?? null;
}

/** All that are still the owner's. */
export async function renewTasks(
  database: Database,
  owner: string,
  untilMs: number,
): Promise<Set<TaskId>> {
  const rows = await database
    .updateTable("task")
    .set({ lease_until_ms: untilMs })
    .where(isOpen)
    .where("owner", "=", owner)
    .returning("id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function releaseTasks(database: Database, owner: string): Promise<void> {
  await database
    .updateTable("task")
    .set({ owner: null, lease_until_ms: 0 })
    .where(isOpen)
    .where("owner", "=", owner)
    .execute();
}

export async function readTasks(database: Database, ids: readonly TaskId[]): Promise<TaskTable[]> {
  return await database.selectFrom("task").selectAll().where("id", "in", ids).execute();
}

export async function readTask(database: Database, id: TaskId): Promise<TaskTable | null> {
  const row = await database.selectFrom("task").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** Member that made the key; null where nobody did. */
export async function findKeyMaker(database: Database, keyId: KeyId): Promise<AccountId | null> {
  const key = database.selectFrom("api_key").select("maker_id").where("id", "=", keyId);
  return (await key.executeTakeFirst())?.maker_id ?? null;
}

interface TaskPage {
  accountId: AccountId;
  keyId: KeyId;
  kind: "video" | "image";
  /** Tasks made before this one, or after it in ascending order. */
  after: TaskId | null;
  order: "asc" | "desc";
  limit: number;
}

/** Ids sort by the time they were made. */
export async function listTasks(database: Database, page: TaskPage): Promise<TaskTable[]> {
  const { accountId, keyId, kind, after, order, limit } = page;
  let query = database
    .selectFrom("task")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("key_id", "=", keyId)
    .where("kind", "=", kind)
    .where("deleted_at_ms", "is", null);
  if (after !== null) query = query.where("id", order === "asc" ? ">" : "<", after);
  return await query.orderBy("id", order).limit(limit).execute();
}

export interface TaskFilter {
  id?: TaskId;
  accountId?: AccountId;
  /** Any of these keys. */
  keyIds?: readonly KeyId[];
  state?: TaskTable["state"];
  kind?: TaskTable["kind"];
  model?: string;
  /** Those that their owner has deleted are left out when it is false. */
  withDeleted?: boolean;
}

export type TaskOverview = Omit<TaskTable, "job" | "price" | "operation" | "key_digest"> &
  Pick<AccountTable, "username"> & {
    /** Null until it has ended. */
    micros: EntryTable["micros"] | null;
    loss_micros: EntryTable["loss_micros"] | null;
  };

/** Everyone's, newest first, with what they came to cost. */
export async function listTaskOverviews(
  database: Database,
  { id, accountId, keyIds, state, kind, model, withDeleted = true }: TaskFilter,
  page: Page,
): Promise<PageOfRows<TaskOverview>> {
  let matching = database.selectFrom("task");
  if (id !== undefined) matching = matching.where("task.id", "=", id);
  if (accountId !== undefined) matching = matching.where("task.account_id", "=", accountId);
  if (keyIds !== undefined) matching = matching.where("task.key_id", "in", keyIds);
  if (state !== undefined) matching = matching.where("task.state", "=", state);
  if (kind !== undefined) matching = matching.where("task.kind", "=", kind);
  if (model !== undefined) matching = matching.where("task.model", "=", model);
  if (!withDeleted) matching = matching.where("task.deleted_at_ms", "is", null);
  const rows = matching
    .innerJoin("account", "account.id", "task.account_id")
    .leftJoin("entry", "entry.id", "task.id")
    .selectAll("task")
    .select(["account.username", "entry.micros", "entry.loss_micros"])
    .orderBy("task.id", "desc");
  return await selectPage(rows, matching, page);
}

/** The charge of a task; null until it has ended. */
export async function findTaskCharge(database: Database, id: TaskId): Promise<Micros | null> {
  const row = await database
    .selectFrom("entry")
    .select("micros")
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? micros(row.micros) : null;
}

export type MadeTask = IdempotentCreateTable &
  Pick<TaskTable, "key_id" | "state" | "deleted_at_ms"> & { maker_id: AccountId | null };

/** The task that a create with this key made. */
export async function findCreate(
  database: Database,
  accountId: AccountId,
  key: string,
): Promise<MadeTask | null> {
  const row = await database
    .selectFrom("idempotent_create")
    .innerJoin("task", "task.id", "idempotent_create.task_id")
    .leftJoin("api_key", "api_key.id", "task.key_id")
    .selectAll("idempotent_create")
    .select(["task.key_id", "task.state", "task.deleted_at_ms", "api_key.maker_id"])
    .where("idempotent_create.account_id", "=", accountId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteCreates(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("idempotent_create").where("created_at_ms", "<", beforeMs).execute();
}
