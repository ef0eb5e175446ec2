// Prices as they go over the wire.
import { PriceInput } from "../../config/entities.ts";
import { word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";

export const PriceView = Type.Object({
  ...PriceInput.properties,
  /** An operator's own price replaces the catalogue's. */
  source: word("own", "catalogue"),
  declared: Type.Boolean(),
});
export type PriceView = Static<typeof PriceView>;
