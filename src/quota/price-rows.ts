// Prices in the database, one document a model in the shape the control API speaks.
import type { ListedPrice } from "../catalogue/model.ts";
import type { PriceInput } from "../config/entities.ts";

export function toListedPrice(price: PriceInput): ListedPrice {
  return {
    inputMicrosPerMillion: price.input_micros_per_million ?? 0,
    outputMicrosPerMillion: price.output_micros_per_million ?? 0,
    cacheReadMicrosPerMillion: price.cache_read_micros_per_million ?? null,
    cacheWriteMicrosPerMillion: price.cache_write_micros_per_million ?? null,
    imageMicros: price.image_micros ?? 0,
    secondMicros: price.second_micros ?? 0,
    callMicros: price.call_micros ?? 0,
  };
}
