// Prices in the database, one document a model in the shape the control API speaks.
import type { ListedPrice, ModelKind } from "../catalogue/model.ts";
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

/** A catalogue's price in the same shape: only the amounts that its kind of model is billed by. */
export function toPriceInput(model: string, kind: ModelKind, price: ListedPrice): PriceInput {
  switch (kind) {
    case "text":
      return {
        model,
        input_micros_per_million: price.inputMicrosPerMillion,
        output_micros_per_million: price.outputMicrosPerMillion,
        ...(price.cacheReadMicrosPerMillion !== null && {
          cache_read_micros_per_million: price.cacheReadMicrosPerMillion,
        }),
        ...(price.cacheWriteMicrosPerMillion !== null && {
          cache_write_micros_per_million: price.cacheWriteMicrosPerMillion,
        }),
      };
    case "image":
      return { model, image_micros: price.imageMicros };
    case "video":
      return { model, second_micros: price.secondMicros };
  }
}
