// Amounts of a price that lie below every price known for the model: most often a price per
// thousand tokens, or cents, that was typed as dollars per million.
import type { KnownPrices, PriceInput } from "../../../src/admin/contract.ts";

export interface LowAmount {
  name: keyof KnownPrices["lowest"];
  micros: number;
  /** The lowest known amount: of this model, or of any where this model is not known. */
  lowestMicros: number;
}

const amountNames: readonly LowAmount["name"][] = [
  "input_micros_per_million",
  "output_micros_per_million",
  "image_micros",
  "second_micros",
  "call_micros",
];

/** The same comparison as `sluice price set` makes. */
export function lowAmountsOf(
  price: PriceInput,
  { lowest, lowest_of_all: lowestOfAll }: Omit<KnownPrices, "model">,
): LowAmount[] {
  return amountNames.flatMap((name) => {
    const micros = price[name];
    const lowestMicros = lowest[name] ?? lowestOfAll[name];
    if (typeof micros !== "number" || lowestMicros === null || micros >= lowestMicros) return [];
    return [{ name, micros, lowestMicros }];
  });
}
