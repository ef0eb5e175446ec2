// The lowest that a model is known to cost anywhere, for whoever is about to set a price.
import type { ListedPrice } from "../../catalogue/model.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { KnownPrices, LowestAmounts, PriceCalls } from "./contract.ts";
import type { PriceNeeds } from "./needs.ts";

export async function readKnownPrices(
  needs: PriceNeeds,
  _operator: Operator,
  { query: { model } }: InputOf<PriceCalls["known"]>,
): Promise<KnownPrices> {
  const { ofModel, ofAll } = await needs.priceList.lowest(model);
  const own = needs.catalogue.find(model)?.price;
  const all = [...needs.catalogue.all()].map(({ price }) => price);
  return {
    model,
    lowest: lowestOf(own ? [own] : [], ofModel),
    lowest_of_all: lowestOf(all, ofAll),
  };
}

interface Tokens {
  input: number | null;
  output: number | null;
}

function lowestOf(prices: readonly ListedPrice[], { input, output }: Tokens): LowestAmounts {
  const least = (read: (price: ListedPrice) => number | null, listed: number | null = null) => {
    const paid = [...prices.map(read), listed].filter((amount) => amount !== null && amount > 0);
    return paid.length === 0 ? null : Math.min(...paid.map(Number));
  };
  return {
    input_micros_per_million: least((price) => price.inputMicrosPerMillion, input),
    output_micros_per_million: least((price) => price.outputMicrosPerMillion, output),
    image_micros: least((price) => price.imageMicros),
    second_micros: least((price) => price.secondMicros),
    call_micros: least((price) => price.callMicros),
  };
}
