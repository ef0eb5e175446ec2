// Budgets in the database.
import type { BudgetId } from "../../core/ids.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type { BudgetTable } from "../../store/tables/budget-table.ts";
import type { Store } from "../../store/store.ts";

export type BudgetRow = BudgetTable;

export async function readBudgets(database: Database): Promise<BudgetRow[]> {
  return await database.selectFrom("budget").selectAll().orderBy("id").execute();
}

export async function findBudget(database: Database, id: BudgetId): Promise<BudgetRow | null> {
  const row = await database
    .selectFrom("budget")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** A conflict where its account has one of that name. */
export function insertOfBudget(database: Database, row: BudgetRow) {
  return database.insertInto("budget").values(row);
}

export async function insertBudget(database: Database, row: BudgetRow): Promise<void> {
  await insertOfBudget(database, row).execute();
}

export async function updateBudget(database: Database, row: BudgetRow): Promise<void> {
  const { id, ...changes } = row;
  await database.updateTable("budget").set(changes).where("id", "=", id).execute();
}

/** A conflict when it is not there. */
export async function deleteBudget(store: Store, database: Database, id: BudgetId): Promise<void> {
  await commitTogether(store, [
    { query: database.deleteFrom("budget").where("id", "=", id), changes: 1 },
    database.deleteFrom("budget_opening").where("budget_id", "=", id),
  ]);
}

export async function findOpening(
  database: Database,
  id: BudgetId,
  subject: string,
): Promise<number | null> {
  const row = await database
    .selectFrom("budget_opening")
    .select("opened_at_ms")
    .where("budget_id", "=", id)
    .where("subject_id", "=", subject)
    .executeTakeFirst();
  return row?.opened_at_ms ?? null;
}

interface Opening {
  id: BudgetId;
  subject: string;
  openedAtMs: number;
  /** One that opened then or later is still open, and stays. */
  openSinceMs: number;
}

/** Opens a window unless one is open: of two nodes that do so at once, the first decides. */
export async function writeOpening(
  database: Database,
  { id, subject, openedAtMs, openSinceMs }: Opening,
): Promise<void> {
  await database
    .insertInto("budget_opening")
    .values({ budget_id: id, subject_id: subject, opened_at_ms: openedAtMs })
    .onConflict((conflict) =>
      conflict
        .columns(["budget_id", "subject_id"])
        .doUpdateSet({ opened_at_ms: openedAtMs })
        .where("budget_opening.opened_at_ms", "<", openSinceMs),
    )
    .execute();
}
