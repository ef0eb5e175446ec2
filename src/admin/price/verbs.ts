// What is done with prices, and what the reference says of it.
import { PriceInput } from "../../config/entities.ts";
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { verbsOf } from "../verb.ts";
import { PriceView } from "./contract.ts";
import { listPriceViews } from "./list.ts";
import { removePrice } from "./remove.ts";
import { setPrice } from "./write.ts";

const { list, verb } = verbsOf("Prices");

export const priceVerbs = {
  list: list("List prices", PriceView, listPriceViews),
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
};
