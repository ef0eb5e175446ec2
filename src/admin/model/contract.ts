// Models and groups as those who use them see them.
import { PriceInput } from "../../config/entities.ts";
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";

const { model: _model, ...amounts } = PriceInput.properties;

export const ModelView = Type.Object({
  id: text(),
  owned_by: text(),
  endpoints: Type.Array(text("A format that it is asked in.")),
  input_tokens_max: whole("0 where it is not known."),
  output_tokens_max: whole("0 where it is not known."),
  group: text("The group that the price is for."),
  multiplier: Type.Number(),
  /** With the multiplier; null where it is free for want of a price. */
  price: orNull(Type.Partial(Type.Object(amounts))),
});
export type ModelView = Static<typeof ModelView>;

export const OwnGroupView = Type.Object({
  name: text(),
  multiplier: Type.Number({ description: "What listed prices are multiplied with." }),
});
export type OwnGroupView = Static<typeof OwnGroupView>;
