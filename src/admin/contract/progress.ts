// Work of minutes that goes on by itself, as it goes over the wire.
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { momentSchema } from "./basics.ts";

export const progressFields = {
  state: word("running", "done", "failed"),
  steps_done: whole("Steps that are behind it."),
  steps_total: whole("Steps there are."),
  started_at: momentSchema,
  ended_at: orNull(momentSchema),
  problem: orNull(text("Why it failed.")),
};

export const progressNote = { description: "The one that runs, or else the last since the start." };
