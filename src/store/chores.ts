// Chores that one node at a time does for all: whoever moves the row has the chore, until it is due
// again.
import { beginsWith } from "./begins-with.ts";
import type { Database } from "./database.ts";

interface Chore {
  name: string;
  nowMs: number;
  /** Period in which it is due. */
  periodMs: number;
}

/** True for one of those who ask, once in a period. */
export async function takeChore(database: Database, chore: Chore): Promise<boolean> {
  const { name, nowMs, periodMs } = chore;
  const row = await database
    .insertInto("chore")
    .values({ name, done_at_ms: nowMs })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ done_at_ms: nowMs })
        .where("chore.done_at_ms", "<=", nowMs - periodMs),
    )
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

/** Renew the chores of their holder: their time begins anew. */
export async function renewChores(
  database: Database,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  await database
    .updateTable("chore")
    .set({ done_at_ms: nowMs })
    .where("name", "in", names)
    .execute();
}

/** Before its time is over: it is anybody's again. */
export async function endChore(database: Database, name: string): Promise<void> {
  await database.deleteFrom("chore").where("name", "=", name).execute();
}

/** Chores named after one thing each that nobody has ended. */
export async function forgetChores(
  database: Database,
  prefix: string,
  beforeMs: number,
): Promise<void> {
  await database
    .deleteFrom("chore")
    .where(beginsWith("name", prefix))
    .where("done_at_ms", "<", beforeMs)
    .execute();
}
