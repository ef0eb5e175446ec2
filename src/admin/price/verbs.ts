// What is done with prices, and what the reference says of it.
import { PriceInput } from "../../config/entities.ts";
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { listOf, pages } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { PriceView } from "./contract.ts";
import { listPriceViews } from "./list.ts";
import { removePrice } from "./remove.ts";
import { writePrice } from "./write.ts";

const tag = "Prices";

export const prices = {
  list: verb({
    tag,
    summary: "List prices",
    takes: "query",
    query: pages,
    answer: listOf(PriceView),
    run: listPriceViews,
  }),
  write: verb({
    tag,
    summary: "Set a model's price",
    takes: "body",
    body: {
      schema: PriceInput,
      example: {
        model: "example-model",
        input_micros_per_million: 500_000,
        output_micros_per_million: 2_000_000,
      },
    },
    answer: PriceView,
    run: writePrice,
  }),
  remove: verb({
    tag,
    summary: "Go back to the catalogue's price",
    takes: "query",
    query: { model: { schema: text(), isRequired: true } },
    answer: Type.Object({ model: text() }),
    run: removePrice,
  }),
};
