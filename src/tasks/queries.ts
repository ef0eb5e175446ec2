// Tasks in the database. They are written with the ledger's batches; here they are only read.
import type { AccountId, KeyId, TaskId } from "../core/ids.ts";
import type { Database } from "../store/database.ts";
import type {
  AccountTable,
  EntryTable,
  IdempotentCreateTable,
  TaskTable,
} from "../store/schema.ts";

export async function readOpenTasks(database: Database): Promise<TaskTable[]> {
  return await database
    .selectFrom("task")
    .selectAll()
    .where("state", "not in", ["completed", "failed"])
    .execute();
}

export async function readTask(database: Database, id: TaskId): Promise<TaskTable | null> {
  const row = await database.selectFrom("task").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

export interface TaskPage {
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
  accountId?: AccountId;
  state?: TaskTable["state"];
  model?: string;
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
  { accountId, state, model }: TaskFilter,
  page: { offset: number; limit: number },
): Promise<{ items: TaskOverview[]; total: number }> {
  let matching = database.selectFrom("task");
  if (accountId !== undefined) matching = matching.where("task.account_id", "=", accountId);
  if (state !== undefined) matching = matching.where("task.state", "=", state);
  if (model !== undefined) matching = matching.where("task.model", "=", model);
  const items = await matching
    .innerJoin("account", "account.id", "task.account_id")
    .leftJoin("entry", "entry.id", "task.id")
    .selectAll("task")
    .select(["account.username", "entry.micros", "entry.loss_micros"])
    .orderBy("task.id", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  const counted = await matching
    .select((query) => query.fn.countAll<number>().as("total"))
    .executeTakeFirst();
  return { items, total: counted?.total ?? 0 };
}

export type MadeTask = IdempotentCreateTable & Pick<TaskTable, "state" | "deleted_at_ms">;

/** What a create with this key made. */
export async function findCreate(
  database: Database,
  accountId: AccountId,
  key: string,
): Promise<MadeTask | null> {
  const row = await database
    .selectFrom("idempotent_create")
    .innerJoin("task", "task.id", "idempotent_create.task_id")
    .selectAll("idempotent_create")
    .select(["task.state", "task.deleted_at_ms"])
    .where("idempotent_create.account_id", "=", accountId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteCreates(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("idempotent_create").where("created_at_ms", "<", beforeMs).execute();
}
