// Notes on models as they go over the wire, and their calls.
import { model } from "../../config/fields.ts";
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, plainTextSchema } from "../contract/basics.ts";

const ModelNoteInput = Type.Object(
  {
    model: model("The public model name."),
    note: plainTextSchema(1000, "What there is to know of it."),
  },
  { additionalProperties: false },
);

export const ModelNoteView = Type.Object({ model: text(), note: text(), updated_at: momentSchema });
export type ModelNoteView = Static<typeof ModelNoteView>;

const { call, list } = callsOf("Notes on models");

export const modelNoteCalls = {
  list: list("GET /api/model-note", "Read what there is to know of models", {
    item: ModelNoteView,
    filter: { model: { schema: text(), description: "Of this model only." } },
  }),
  write: call("POST /api/model-note", "Set the note on a model", {
    permission: "site.write",
    body: bodyOf(ModelNoteInput, { model: "example-model", note: "Good at sums." }),
    answer: ModelNoteView,
  }),
  remove: call("DELETE /api/model-note", "Remove the note on a model", {
    permission: "site.write",
    query: { model: { schema: text(), isRequired: true } },
    answer: Type.Object({ model: text() }),
  }),
};
export type ModelNoteCalls = typeof modelNoteCalls;
