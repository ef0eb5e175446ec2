// What is done with prices, and what the reference says of it.
import { PriceInput } from "../../config/entities.ts";
import { text, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { bySort } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { PriceBatchInput, setPrices } from "./batch.ts";
import { KnownPrices, PriceBatch, PriceSync, PriceView } from "./contract.ts";
import { readKnownPrices } from "./known.ts";
import { listPriceViews, priceSorts, priceSources } from "./list.ts";
import { removePrice } from "./remove.ts";
import { applySync, showSync, SyncInput } from "./sync.ts";
import { setPrice } from "./write.ts";

const { list, verb } = verbsOf("Prices");

export const priceVerbs = {
  list: list("List prices", PriceView, listPriceViews, {
    q: { schema: text(), description: "What the model's name contains, in any capitals." },
    source: { schema: word(...priceSources), description: "From where the price is." },
    ...bySort(priceSorts),
  }),
  write: verb("Set a model's price", "body", setPrice, {
    body: {
      schema: PriceInput,
      example: {
        model: "example-model",
        input_micros_per_million: 500_000,
        output_micros_per_million: 2_000_000,
      },
    },
    answer: PriceView,
  }),
  remove: verb("Go back to the catalogue's price", "query", removePrice, {
    query: { model: { schema: text(), isRequired: true } },
    answer: Type.Object({ model: text() }),
  }),
  batch: verb("Set many prices", "body", setPrices, {
    description: "All of them or none. With `dry_run` it only says what would change.",
    body: {
      schema: PriceBatchInput,
      example: {
        dry_run: true,
        prices: [
          {
            model: "example-model",
            input_micros_per_million: 500_000,
            output_micros_per_million: 2_000_000,
          },
        ],
      },
    },
    answer: PriceBatch,
  }),
  known: verb("Read the lowest known price of a model", "query", readKnownPrices, {
    query: { model: { schema: text(), isRequired: true } },
    answer: KnownPrices,
  }),
  showSync: verb("Compare prices with the published list", "query", showSync, {
    description: "Changes nothing. The list is that of the release which runs.",
    query: { models: { schema: text(), description: "Default: all that channels serve." } },
    answer: PriceSync,
  }),
  sync: verb("Take prices over from the published list", "optionalBody", applySync, {
    description: "Own prices stay as they are, and so do prices of requests that have begun.",
    body: { schema: SyncInput, example: {}, isOptional: true },
    answer: PriceSync,
  }),
};
