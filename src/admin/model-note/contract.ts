// Notes on models as they go over the wire.
import { model } from "../../config/fields.ts";
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema, plainTextSchema } from "../contract/basics.ts";

export const ModelNoteInput = Type.Object(
  {
    model: model("The public model name."),
    note: plainTextSchema(1000, "What there is to know of it."),
  },
  { additionalProperties: false },
);
export type ModelNoteInput = Static<typeof ModelNoteInput>;

export const ModelNoteView = Type.Object({ model: text(), note: text(), updated_at: momentSchema });
export type ModelNoteView = Static<typeof ModelNoteView>;
