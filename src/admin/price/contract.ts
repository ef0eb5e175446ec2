// Prices as they go over the wire.
import { PriceInput } from "../../config/entities.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";

export const PriceView = Type.Object({
  ...PriceInput.properties,
  /** An operator's own price replaces the list's, and that the catalogue's. */
  source: word("own", "list", "catalogue"),
  declared: Type.Boolean(),
});
export type PriceView = Static<typeof PriceView>;

const PriceChange = Type.Object({
  model: text(),
  kind: Type.Unsafe<"new" | "changed" | "same" | "own" | "unlisted">({
    type: "string",
    enum: ["new", "changed", "same", "own", "unlisted"],
    description: "own: the operator's price stays; unlisted: the list does not have the model.",
  }),
  vendor: orNull(text("Whose price it is, in the list's words.")),
  by: orNull(word("address", "name")),
  name: orNull(text()),
  context_tokens: orNull(whole("How long its input may be.")),
  before: orNull(PriceInput),
  after: orNull(PriceInput),
});
export type PriceChange = Static<typeof PriceChange>;

export const PriceSync = Type.Object({
  list: text("The list and its version."),
  changes: Type.Array(PriceChange),
});
export type PriceSync = Static<typeof PriceSync>;

const PriceBatchRow = Type.Object({
  model: text(),
  kind: Type.Unsafe<"new" | "changed" | "same" | "removed" | "replaces_catalogue">({
    type: "string",
    enum: ["new", "changed", "same", "removed", "replaces_catalogue"],
    description: "What becomes of the model's own price.",
  }),
  /** The file would set it back at the next reload. */
  declared: Type.Boolean(),
  before: orNull(PriceInput),
  after: orNull(PriceInput),
});
export type PriceBatchRow = Static<typeof PriceBatchRow>;

export const PriceBatch = Type.Object({
  applied: Type.Boolean({ description: "False of a dry run." }),
  changes: Type.Array(PriceBatchRow, { description: "What becomes of each." }),
});
export type PriceBatch = Static<typeof PriceBatch>;

const LowestAmounts = Type.Object({
  input_micros_per_million: orNull(whole()),
  output_micros_per_million: orNull(whole()),
  image_micros: orNull(whole()),
  second_micros: orNull(whole()),
  call_micros: orNull(whole()),
});
export type LowestAmounts = Static<typeof LowestAmounts>;

export const KnownPrices = Type.Object({
  model: text(),
  /** The lowest that anybody is known to sell it for; null where nobody is. */
  lowest: LowestAmounts,
  lowest_of_all: LowestAmounts,
});
export type KnownPrices = Static<typeof KnownPrices>;
