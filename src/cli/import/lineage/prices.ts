// Prices of a program of this lineage: ratios, turned into dollars. One unit of the ratio is so
// many of their units for a token; a model with a fixed price has none.
import type { PriceInput } from "../../../config/entities.ts";
import type { Remark } from "../snapshot.ts";
import { PriceRounding } from "../money.ts";
import type { Lineage } from "./dialect.ts";
import type { Options } from "./options.ts";

/** Their program's output price where nobody, or whatever somebody, has said so. */
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

export function readRatios(
  options: Options,
  dialect: Lineage,
  models: Iterable<string>,
): { prices: PriceInput[]; unpriced: string[]; remarks: Remark[] } {
  const remarks: Remark[] = [];
  const unpriced: string[] = [];
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
    const rounding = new PriceRounding();
    if (price !== undefined) {
      prices.push({ model, call_micros: rounding.round("a call", [price, 1_000_000]) });
    } else if (ratio !== undefined) {
      prices.push(tokenPrice(model, ratio, { options, dialect, rounding }));
    } else unpriced.push(model);
    if (rounding.why !== null) remarks.push({ about: `model ${model}`, why: rounding.why });
  }
  const isFree = ({ model: _model, ...amounts }: PriceInput) =>
    Object.values(amounts).every((amount) => amount === 0);
  for (const { model } of prices.filter(isFree)) {
    remarks.push({ about: `model ${model}`, why: "is free of charge, as it was there" });
  }
  return { prices, unpriced, remarks };
}

interface PriceWays {
  options: Options;
  dialect: Lineage;
  rounding: PriceRounding;
}

function tokenPrice(
  model: string,
  ratio: number,
  { options, dialect, rounding }: PriceWays,
): PriceInput {
  const perUnit = 1_000_000_000_000;
  const input = [ratio, perUnit] as const;
  const micros = (what: string, ...more: number[]) =>
    rounding.round(`a million of ${what}`, [...input, ...more], options.unitsPerDollar);
  const cacheRead = options.numbers("CacheRatio")?.get(model);
  const cacheWrite = options.numbers("CreateCacheRatio")?.get(model);
  const output = outputRatio(model, options.numbers("CompletionRatio")?.get(model), dialect);
  return {
    model,
    input_micros_per_million: micros("input"),
    output_micros_per_million: micros("output", output),
    cache_read_micros_per_million: micros("cached input", cacheRead ?? 1),
    cache_write_micros_per_million: micros("written input", cacheWrite ?? 1.25),
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
