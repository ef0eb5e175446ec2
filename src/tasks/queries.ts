// Tasks in the database. They are written with the ledger's batches; here they are only read.
import type { AccountId, TaskId } from "../core/ids.ts";
import type { Database } from "../store/database.ts";
import type { IdempotentCreateTable, TaskTable } from "../store/schema.ts";

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
  accountId: AccountId | null;
  kind: "video" | "image" | null;
  /** Tasks made before this one, or after it in ascending order. */
  after: TaskId | null;
  order: "asc" | "desc";
  limit: number;
}

/** Ids sort by the time they were made. */
export async function listTasks(database: Database, page: TaskPage): Promise<TaskTable[]> {
  const { accountId, kind, after, order, limit } = page;
  let query = database.selectFrom("task").selectAll().where("deleted_at_ms", "is", null);
  if (accountId !== null) query = query.where("account_id", "=", accountId);
  if (kind !== null) query = query.where("kind", "=", kind);
  if (after !== null) query = query.where("id", order === "asc" ? ">" : "<", after);
  return await query.orderBy("id", order).limit(limit).execute();
}

export async function findCreate(
  database: Database,
  accountId: AccountId,
  key: string,
): Promise<IdempotentCreateTable | null> {
  const row = await database
    .selectFrom("idempotent_create")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  return row ?? null;
}

/** Takes the place of one that has expired; a newer one is left and the count is 0. */
export async function saveCreate(
  database: Database,
  row: IdempotentCreateTable,
  expiredBeforeMs: number,
): Promise<boolean> {
  const { account_id: _account, idempotency_key: _key, ...changes } = row;
  const [result] = await database
    .insertInto("idempotent_create")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "idempotency_key"])
        .doUpdateSet(changes)
        .where("idempotent_create.created_at_ms", "<", expiredBeforeMs),
    )
    .execute();
  return Number(result?.numInsertedOrUpdatedRows ?? 0) > 0;
}

export async function deleteCreate(
  database: Database,
  accountId: AccountId,
  key: string,
): Promise<void> {
  await database
    .deleteFrom("idempotent_create")
    .where("account_id", "=", accountId)
    .where("idempotency_key", "=", key)
    .execute();
}
