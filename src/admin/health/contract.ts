// How the models are doing, as it goes over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";

const healthFields = {
  success: Type.Number({ description: "Which part of the requests was served, from 0 to 1." }),
  first_byte_ms: orNull(whole("To the first byte, of half of those that were served.")),
  total_ms: orNull(whole("To the end, of half of those that were served.")),
};

const ModelHealth = Type.Object({
  model: text(),
  ...healthFields,
  days: Type.Array(Type.Object({ day: text("A day of UTC."), ...healthFields }), {
    description: "Those on which it was asked for, oldest first.",
  }),
});

/** Without numbers of requests: it may be for anybody. */
export const ModelsHealth = Type.Object({
  from: text("The first day."),
  to: text("The first day after."),
  items: Type.Array(ModelHealth, { description: "What is asked for most first." }),
});
export type ModelsHealth = Static<typeof ModelsHealth>;
