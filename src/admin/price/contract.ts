// Prices as they go over the wire, and their calls.
import { PriceInput } from "../../config/entities.ts";
import { priceChecker } from "../../config/entity-rules.ts";
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { anyObject, orNull, text, whole, word } from "../../core/schema-words.ts";
import { compile, parseWith, Type, type Static } from "../../core/schema.ts";
import { bodyBy, bodyOf, callsOf } from "../call.ts";
import { money } from "../contract/basics.ts";
import { byPrefix, bySort } from "../search.ts";

const sourceWord = word("own", "list", "catalogue");

export const PriceView = Type.Object({
  ...PriceInput.properties,
  /** An operator's own price replaces the list's, and that the catalogue's. */
  source: sourceWord,
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
  before: orNull(money(PriceInput)),
  after: orNull(money(PriceInput)),
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
  before: orNull(money(PriceInput)),
  after: orNull(money(PriceInput)),
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

const rowsMax = 2000;

const PriceBatchInput = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ description: "Only say what would change. Default: false." }),
    ),
    prices: Type.Optional(
      Type.Array(anyObject, { maxItems: rowsMax, description: "Prices, each as it is set alone." }),
    ),
    remove: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: rowsMax,
        description: "Models that go back to the catalogue's price.",
      }),
    ),
  },
  { additionalProperties: false },
);
const batchChecker = compile(PriceBatchInput);

/** Each price keeps to the rules of one that is set alone. */
function parseBatch(body: JsonObject) {
  const { prices = [], ...batch } = parseWith(batchChecker, body);
  return { ...batch, prices: prices.map(parsePrice) };
}

function parsePrice(price: JsonObject, at: number): PriceInput {
  if (priceChecker.is(price)) return price;
  const { path, message } = priceChecker.faults(price)[0] ?? { path: "", message: "" };
  throw invalid([`prices.${at}`, path].filter(Boolean).join("."), message);
}

const SyncInput = Type.Object(
  {
    models: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 10_000,
        description: "Default: all that channels serve.",
      }),
    ),
    new_only: Type.Optional(
      Type.Boolean({ description: "Only models that have no price yet, so that none changes." }),
    ),
  },
  { additionalProperties: false },
);

const { call, list } = callsOf("Prices");
const ofModel = { model: { schema: text(), isRequired: true } } as const;
const example = {
  model: "example-model",
  input_micros_per_million: 500_000,
  output_micros_per_million: 2_000_000,
};

export const priceCalls = {
  list: list("GET /api/price", "List prices", {
    permission: "money.read",
    item: PriceView,
    filter: {
      ...byPrefix("What the model's name contains, in any capitals."),
      source: { schema: sourceWord, description: "From where the price is." },
      ...bySort(["model", "input", "output"]),
    },
  }),
  write: call("POST /api/price", "Set a model's price", {
    permission: "prices.write",
    body: bodyBy(priceChecker, example),
    answer: PriceView,
  }),
  remove: call("DELETE /api/price", "Go back to the catalogue's price", {
    permission: "prices.write",
    query: ofModel,
    answer: Type.Object({ model: text() }),
  }),
  batch: call("POST /api/price/batch", "Set many prices", {
    permission: "prices.write",
    description: "All of them or none. With `dry_run` it only says what would change.",
    body: {
      schema: PriceBatchInput,
      example: { dry_run: true, prices: [example] },
      parse: parseBatch,
    },
    answer: PriceBatch,
  }),
  known: call("GET /api/price/known", "Read the lowest known price of a model", {
    permission: "money.read",
    query: ofModel,
    answer: KnownPrices,
  }),
  showSync: call("GET /api/price/sync", "Compare prices with the published list", {
    permission: "money.read",
    description: "Changes nothing. The list is that of the release which runs.",
    query: { models: { schema: text(), description: "Default: all that channels serve." } },
    answer: PriceSync,
  }),
  sync: call("POST /api/price/sync", "Take prices over from the published list", {
    permission: "prices.write",
    description: "Own prices stay as they are, and so do prices of requests that have begun.",
    body: { ...bodyOf(SyncInput, {}), isOptional: true },
    answer: PriceSync,
  }),
};
export type PriceCalls = typeof priceCalls;
