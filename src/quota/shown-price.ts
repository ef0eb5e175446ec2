// A model's price for somebody: the listed price times the multiplier of their group, in the words
// of the control API. Shown, not charged: a charge is rounded once, at its end.
import type { PriceInput } from "../config/entities.ts";
import type { Json } from "../core/json.ts";
import type { ListedPrice } from "../catalogue/model.ts";
import { toPriceInput } from "./price-rows.ts";

const partsPerOne = 1_000_000;

export type ShownPrice = Omit<PriceInput, "model"> & {
  /** The price at this moment, where it goes by the hour. */
  now?: Omit<PriceInput, "model">;
};

export function showPrice(price: ListedPrice, multiplierPpm: number): ShownPrice {
  const { model: _model, ...amounts } = toPriceInput("", price);
  return scale(amounts as Json, multiplierPpm, false) as ShownPrice;
}

/** Amounts are what stands under a name with `micros` in it, at whatever depth. */
function scale(value: Json, ppm: number, isAmount: boolean): Json {
  if (typeof value === "number") return isAmount ? (value * ppm) / partsPerOne : value;
  if (Array.isArray(value)) return value.map((one) => scale(one, ppm, isAmount));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      scale(inner ?? null, ppm, isAmount || name.includes("micros")),
    ]),
  );
}
