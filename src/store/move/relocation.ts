// The mark of a move in either database. Rows are at home in one of the two at any time: the source
// is left for good before the target may be used, and until then the target may not.
import type { Database } from "../database.ts";
import type { Tables } from "../schema.ts";

export type Relocation = Pick<Tables["relocation"], "move_id" | "state" | "detail" | "at_ms">;

const whole = "";

export async function readRelocation(database: Database): Promise<Relocation | null> {
  const row = await database
    .selectFrom("relocation")
    .select(["move_id", "state", "detail", "at_ms"])
    .where("part", "=", whole)
    .executeTakeFirst();
  return row ?? null;
}

/** Set the mark over any there was before. */
export async function markRelocation(database: Database, mark: Relocation): Promise<void> {
  await database
    .insertInto("relocation")
    .values({ ...mark, part: whole, row_count: 0 })
    .onConflict((conflict) => conflict.column("part").doUpdateSet(mark))
    .execute();
}

/** Fails where another has made a mark in the meantime. */
export async function claimRelocation(database: Database, mark: Relocation): Promise<void> {
  await database
    .insertInto("relocation")
    .values({ ...mark, part: whole, row_count: 0 })
    .execute();
}

/** False when the mark is not as it was. */
export async function changeRelocation(
  database: Database,
  { move_id: id, state }: Pick<Relocation, "move_id" | "state">,
  next: Pick<Relocation, "state" | "at_ms">,
): Promise<boolean> {
  const row = await database
    .updateTable("relocation")
    .set(next)
    .where("part", "=", whole)
    .where("move_id", "=", id)
    .where("state", "=", state)
    .returning("part")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * For a start. Who starts on the database that a move had begun to leave gives that move up; true
 * when it did. Nobody starts on one that was left, or that is not whole yet.
 */
export async function settleRelocation(database: Database): Promise<boolean> {
  const mark = await readRelocation(database);
  if (mark?.state === "departed") throw new Error(departed(mark));
  if (mark?.state === "arriving") {
    throw new Error(
      `a move of ${mark.detail} to this place was not finished: run the same ` +
        '"sluice migrate" again',
    );
  }
  if (mark?.state !== "departing") return false;
  await database.deleteFrom("relocation").where("part", "=", whole).execute();
  return true;
}

export function departed({ detail, at_ms: atMs }: Relocation): string {
  const day = new Date(atMs).toISOString().slice(0, 10);
  return `the rows of this gateway have moved to ${detail} (${day}): start it there`;
}
