// Notes on models in the database.
import { commitTogether, type Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";

export interface ModelNoteRow {
  model: string;
  note: string;
  updated_at_ms: number;
}

const withNotes = (database: Database) => database.withTables<{ model_note: ModelNoteRow }>();

/** Notes, in the order of the models' names. */
export async function readNotes(database: Database): Promise<ModelNoteRow[]> {
  return await withNotes(database).selectFrom("model_note").selectAll().orderBy("model").execute();
}

export async function findNote(database: Database, model: string): Promise<ModelNoteRow | null> {
  const notes = withNotes(database).selectFrom("model_note").selectAll();
  return (await notes.where("model", "=", model).executeTakeFirst()) ?? null;
}

export async function writeNote(database: Database, row: ModelNoteRow): Promise<void> {
  const { model: _model, ...changes } = row;
  await withNotes(database)
    .insertInto("model_note")
    .values(row)
    .onConflict((conflict) => conflict.column("model").doUpdateSet(changes))
    .execute();
}

/** A conflict when there is none. */
export async function deleteNote(store: Store, database: Database, model: string): Promise<void> {
  const query = withNotes(database).deleteFrom("model_note").where("model", "=", model);
  await commitTogether(store, [{ query, changes: 1 }]);
}
