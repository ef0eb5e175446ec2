// Prices in the database, one document a model in the shape the control API speaks.
import type { ListedPrice, MediaRule, PriceHours } from "../catalogue/model.ts";
import type { TokenFactor } from "../catalogue/surcharges.ts";
import type { PriceInput } from "../config/entities.ts";
import type { PriceFactor, PriceRule, PriceWindow } from "../config/price-parts.ts";

export function toListedPrice(price: PriceInput): ListedPrice {
  return {
    inputMicrosPerMillion: price.input_micros_per_million ?? null,
    outputMicrosPerMillion: price.output_micros_per_million ?? null,
    cacheReadMicrosPerMillion: price.cache_read_micros_per_million ?? null,
    cacheWriteMicrosPerMillion: price.cache_write_micros_per_million ?? null,
    cacheWriteHourMicrosPerMillion: price.cache_write_1h_micros_per_million ?? null,
    audioInputMicrosPerMillion: price.audio_input_micros_per_million ?? null,
    audioOutputMicrosPerMillion: price.audio_output_micros_per_million ?? null,
    ...toSurchargePrices(price),
    imageMicros: price.image_micros ?? null,
    secondMicros: price.second_micros ?? null,
    callMicros: price.call_micros ?? null,
    ...(price.output_tokens_max !== undefined && { outputTokensMax: price.output_tokens_max }),
    rules: (price.rules ?? []).map(toMediaRule),
  };
}

/** Only what is named: for the rest there are lists for all models. */
function toSurchargePrices(price: PriceInput): Partial<ListedPrice> {
  const { tool_micros: toolMicros, factors, long_context: long } = price;
  return {
    ...(toolMicros && { toolMicros }),
    ...(factors && { factors: mapValues(factors, toFactor) }),
    ...(long && { longContext: { aboveTokens: long.above_tokens, ...toFactor(long) } }),
    ...(price.hours && price.hours.length > 0 && { hours: price.hours.map(toHours) }),
  };
}

function toHours(window: PriceWindow): PriceHours {
  const { days, from, to, zone = "UTC" } = window;
  const amounts = {
    inputMicrosPerMillion: window.input_micros_per_million,
    outputMicrosPerMillion: window.output_micros_per_million,
    cacheReadMicrosPerMillion: window.cache_read_micros_per_million,
    cacheWriteMicrosPerMillion: window.cache_write_micros_per_million,
  };
  return {
    ...(days !== undefined && { days }),
    from,
    to,
    zone,
    inputPercent: window.input_percent ?? 100,
    outputPercent: window.output_percent ?? 100,
    amounts: known(amounts),
  };
}

function toPriceWindow(window: PriceHours): PriceWindow {
  const { inputPercent, outputPercent, amounts, ...rest } = window;
  return {
    ...rest,
    ...(inputPercent !== 100 && { input_percent: inputPercent }),
    ...(outputPercent !== 100 && { output_percent: outputPercent }),
    ...known({
      input_micros_per_million: amounts.inputMicrosPerMillion,
      output_micros_per_million: amounts.outputMicrosPerMillion,
      cache_read_micros_per_million: amounts.cacheReadMicrosPerMillion,
      cache_write_micros_per_million: amounts.cacheWriteMicrosPerMillion,
    }),
  };
}

function toFactor(factor: PriceFactor): TokenFactor {
  return { inputPercent: factor.input_percent, outputPercent: factor.output_percent };
}

function toSurchargeInputs(price: ListedPrice): Partial<PriceInput> {
  const { toolMicros, factors, longContext, hours } = price;
  return {
    ...(hours && { hours: hours.map(toPriceWindow) }),
    ...(toolMicros && { tool_micros: { ...toolMicros } }),
    ...(factors && { factors: mapValues(factors, toPriceFactor) }),
    ...(longContext && {
      long_context: { above_tokens: longContext.aboveTokens, ...toPriceFactor(longContext) },
    }),
  };
}

function toPriceFactor({ inputPercent, outputPercent }: TokenFactor): PriceFactor {
  return { input_percent: inputPercent, output_percent: outputPercent };
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
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
    cache_write_1h_micros_per_million: price.cacheWriteHourMicrosPerMillion,
    audio_input_micros_per_million: price.audioInputMicrosPerMillion,
    audio_output_micros_per_million: price.audioOutputMicrosPerMillion,
    image_micros: price.imageMicros,
    second_micros: price.secondMicros,
    call_micros: price.callMicros,
    output_tokens_max: price.outputTokensMax ?? null,
  };
  const rules = price.rules?.map(toPriceRule) ?? [];
  const surcharges = toSurchargeInputs(price);
  return { model, ...known(amounts), ...surcharges, ...(rules.length === 0 ? {} : { rules }) };
}

function toPriceRule(rule: MediaRule): PriceRule {
  const { imageMicros, secondMicros, callMicros, ...conditions } = rule;
  return {
    ...conditions,
    ...known({ image_micros: imageMicros, second_micros: secondMicros, call_micros: callMicros }),
  };
}

function known(
  amounts: Readonly<Record<string, number | null | undefined>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([name, amount]): [string, number][] =>
      amount === null || amount === undefined ? [] : [[name, amount]],
    ),
  );
}
