// Prices in the database, one document a model in the shape the control API speaks.
import type { ListedPrice, MediaRule } from "../catalogue/model.ts";
import type { PriceInput, PriceRule } from "../config/entities.ts";

export function toListedPrice(price: PriceInput): ListedPrice {
  return {
    inputMicrosPerMillion: price.input_micros_per_million ?? null,
    outputMicrosPerMillion: price.output_micros_per_million ?? null,
    cacheReadMicrosPerMillion: price.cache_read_micros_per_million ?? null,
    cacheWriteMicrosPerMillion: price.cache_write_micros_per_million ?? null,
    imageMicros: price.image_micros ?? null,
    secondMicros: price.second_micros ?? null,
    callMicros: price.call_micros ?? null,
    rules: (price.rules ?? []).map(toMediaRule),
  };
}

function toMediaRule(rule: PriceRule): MediaRule {
  const { image_micros, second_micros, call_micros, ...conditions } = rule;
  return {
    ...conditions,
    imageMicros: image_micros ?? null,
    secondMicros: second_micros ?? null,
    callMicros: call_micros ?? null,
  };
}

/** A catalogue's price in the same shape: only the amounts that it has. */
export function toPriceInput(model: string, price: ListedPrice): PriceInput {
  const amounts: Record<string, number | null> = {
    input_micros_per_million: price.inputMicrosPerMillion,
    output_micros_per_million: price.outputMicrosPerMillion,
    cache_read_micros_per_million: price.cacheReadMicrosPerMillion,
    cache_write_micros_per_million: price.cacheWriteMicrosPerMillion,
    image_micros: price.imageMicros,
    second_micros: price.secondMicros,
    call_micros: price.callMicros,
  };
  const rules = price.rules?.map(toPriceRule) ?? [];
  return { model, ...known(amounts), ...(rules.length === 0 ? {} : { rules }) };
}

function toPriceRule(rule: MediaRule): PriceRule {
  const { imageMicros, secondMicros, callMicros, ...conditions } = rule;
  return {
    ...conditions,
    ...known({ image_micros: imageMicros, second_micros: secondMicros, call_micros: callMicros }),
  };
}

function known(amounts: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([name, amount]): [string, number][] =>
      amount === null ? [] : [[name, amount]],
    ),
  );
}
