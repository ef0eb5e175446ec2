// Prices: each call with its function.
import { bind } from "../bind.ts";
import { setPrices } from "./batch.ts";
import { priceCalls } from "./contract.ts";
import { readKnownPrices } from "./known.ts";
import { listPriceViews } from "./list.ts";
import { removePrice } from "./remove.ts";
import { applySync, showSync } from "./sync.ts";
import { setPrice } from "./write.ts";

export const priceVerbs = bind(priceCalls, {
  list: listPriceViews,
  write: setPrice,
  remove: removePrice,
  batch: setPrices,
  known: readKnownPrices,
  showSync,
  sync: applySync,
});
