// What is done with notes on models, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { verbsOf } from "../verb.ts";
import { ModelNoteInput, ModelNoteView } from "./contract.ts";
import { listModelNotes, removeModelNote, writeModelNote } from "./notes.ts";

const { list, verb } = verbsOf("Notes on models");

export const modelNoteVerbs = {
  list: list("Read what there is to know of models", ModelNoteView, listModelNotes),
  write: verb("Set the note on a model", "body", writeModelNote, {
    body: { schema: ModelNoteInput, example: { model: "example-model", note: "Good at sums." } },
    answer: ModelNoteView,
  }),
  remove: verb("Remove the note on a model", "query", removeModelNote, {
    query: { model: { schema: text(), isRequired: true } },
    answer: Type.Object({ model: text() }),
  }),
};
