// An operator's note on a model: what it is good for, or what to mind. Plain text.
import type { Operator } from "../../identity/caller.ts";
import { changesOf } from "../audit/changes.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { exclusively } from "../exclusively.ts";
import { orNotFound, toSeconds } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import type { ModelNoteCalls, ModelNoteView } from "./contract.ts";
import { deleteNote, findNote, readNotes, writeNote, type ModelNoteRow } from "./queries.ts";

export async function listModelNotes(
  { database }: NotingNeeds,
  _operator: Operator,
  { query }: InputOf<ModelNoteCalls["list"]>,
): Promise<Listed<ModelNoteView>> {
  const { model } = query;
  const rows = await readNotes(database);
  const wanted = model ? rows.filter((row) => row.model === model) : rows;
  return cutPage(pageOf(query), wanted.map(toView));
}

/** Makes the note, or replaces the one on that model. */
export async function writeModelNote(
  needs: NotingNeeds,
  operator: Operator,
  { body: { model, note } }: InputOf<ModelNoteCalls["write"]>,
): Promise<ModelNoteView> {
  return await exclusively(needs, "model notes", async () => {
    const before = await findNote(needs.database, model);
    const row = { model, note, updated_at_ms: needs.clock.nowMs() };
    const changes = changesOf(before && { note: before.note }, { note });
    const entry = { action: "model_note.write", target: model, changes } as const;
    await writeNote(noting(needs, operator, entry).database, row);
    return toView(row);
  });
}

export async function removeModelNote(
  needs: NotingNeeds,
  operator: Operator,
  { query: { model } }: InputOf<ModelNoteCalls["remove"]>,
): Promise<{ model: string }> {
  const entry = { action: "model_note.remove", target: model } as const;
  const { store, database } = noting(needs, operator, entry);
  await orNotFound(deleteNote(store, database, model));
  return { model };
}

function toView({ model, note, updated_at_ms }: ModelNoteRow): ModelNoteView {
  return { model, note, updated_at: toSeconds(updated_at_ms) };
}
