// Prices of a program of this lineage: ratios, turned into dollars. One unit of the ratio is so
// many of their units for a token; a model with a fixed price has none.
import type { PriceInput } from "../../../config/entities.ts";
import type { Remark } from "../estate.ts";
import { toFraction } from "../money.ts";
import type { Lineage } from "./dialect.ts";
import type { Options } from "./options.ts";

/** What their program charges for output where nobody, or whatever somebody, has said so. */
const lockedOutput: readonly (readonly [RegExp, number])[] = [
  [/^(?:o1|o3)/, 4],
  [/^gpt-5\.4.*nano/, 6.25],
  [/^gpt-5\.4/, 6],
  [/^gpt-5(?!\.)/, 8],
  [/^claude-3/, 5],
  [/^claude-(?:sonnet|opus|haiku)-4/, 5],
  [/^gpt-4-turbo/, 3],
  [/^gpt-4\.5-preview/, 2],
  [/^gemini-(?:1\.5|2\.0)/, 4],
  [/^mistral-/, 3],
];
const usualOutput: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4o/, 4],
  [/^gpt-5\.[5-9]/, 6],
  [/^gpt-/, 2],
  [/^gemini-2\.5-pro/, 8],
  [/^gemini-2\.5-flash/, 8.33],
  [/^gemini-/, 4],
];

const amountMax = 1_000_000_000_000n;

export function readRatios(
  options: Options,
  dialect: Lineage,
  models: Iterable<string>,
): { prices: PriceInput[]; remarks: Remark[] } {
  const remarks: Remark[] = [];
  const fixed = options.numbers("ModelPrice") ?? new Map<string, number>();
  const ratios = options.numbers("ModelRatio");
  if (ratios === null) {
    const why = "were never saved there, so those that the program was built with do not come";
    remarks.push({ about: "model ratios", why });
  }
  const prices: PriceInput[] = [];
  for (const model of new Set(models)) {
    const price = fixed.get(model);
    const ratio = ratios?.get(model);
    if (price !== undefined) prices.push({ model, call_micros: micros([price, 1_000_000]) });
    else if (ratio !== undefined) prices.push(tokenPrice(model, ratio, { options, dialect }));
    else remarks.push({ about: `model ${model}`, why: "has no price in the options there" });
  }
  const isFree = ({ model: _model, ...amounts }: PriceInput) =>
    Object.values(amounts).every((amount) => amount === 0);
  for (const { model } of prices.filter(isFree)) {
    remarks.push({ about: `model ${model}`, why: "is free of charge, as it was there" });
  }
  return { prices, remarks };
}

function tokenPrice(
  model: string,
  ratio: number,
  { options, dialect }: { options: Options; dialect: Lineage },
): PriceInput {
  const perUnit = 1_000_000_000_000;
  const input = [ratio, perUnit] as const;
  const unit = options.unitsPerDollar;
  const cacheRead = options.numbers("CacheRatio")?.get(model);
  const cacheWrite = options.numbers("CreateCacheRatio")?.get(model);
  const output = outputRatio(model, options.numbers("CompletionRatio")?.get(model), dialect);
  return {
    model,
    input_micros_per_million: micros(input, unit),
    output_micros_per_million: micros([...input, output], unit),
    cache_read_micros_per_million: micros([...input, cacheRead ?? 1], unit),
    cache_write_micros_per_million: micros([...input, cacheWrite ?? 1.25], unit),
  };
}

function outputRatio(model: string, saved: number | undefined, { locksOutput }: Lineage): number {
  const find = (rules: typeof lockedOutput) => rules.find(([name]) => name.test(model))?.[1];
  const locked = find(lockedOutput);
  if (locksOutput && locked !== undefined && !(model.includes("/") && saved !== undefined)) {
    return locked;
  }
  return saved ?? locked ?? find(usualOutput) ?? 1;
}

/** The product of decimal numbers, exact, by the unit, and rounded to a whole one once. */
function micros(factors: readonly number[], unit = 1n): number {
  let [top, bottom] = [1n, unit];
  for (const factor of factors) {
    const fraction = toFraction(Math.max(0, factor));
    top *= fraction.top;
    bottom *= fraction.bottom;
  }
  const rounded = (2n * top + bottom) / (2n * bottom);
  return Number(rounded > amountMax ? amountMax : rounded);
}
