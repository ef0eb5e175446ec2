// Notes on models: each call with its function.
import { bind } from "../bind.ts";
import { modelNoteCalls } from "./contract.ts";
import { listModelNotes, removeModelNote, writeModelNote } from "./notes.ts";

export const modelNoteVerbs = bind(modelNoteCalls, {
  list: listModelNotes,
  write: writeModelNote,
  remove: removeModelNote,
});
