// A price as a form has it, in dollars, and as the API takes it, in micros.
import { useState } from "preact/hooks";
import type { PriceInput } from "../../../src/admin/contract.ts";
import { readDollars, readWhole, writeDollars } from "../../core/amounts.ts";

export const tokenNames = [
  "input_micros_per_million",
  "output_micros_per_million",
  "cache_read_micros_per_million",
  "cache_write_micros_per_million",
  "cache_write_1h_micros_per_million",
  "audio_input_micros_per_million",
  "audio_output_micros_per_million",
] as const;
export const pieceNames = ["image_micros", "second_micros", "call_micros"] as const;
export const amountNames = [...tokenNames, ...pieceNames];
export const conditionNames = ["size", "quality", "resolution", "tier"] as const;
export const ruleNames = [...conditionNames, ...pieceNames];
export type RuleDraft = Partial<Record<(typeof ruleNames)[number], string>>;

export interface PriceDraft {
  model: string;
  amounts: Record<string, string>;
  outputMax: string;
  above: string;
  inputPercent: string;
  outputPercent: string;
  rules: readonly RuleDraft[];
}

export interface PriceForm {
  draft: PriceDraft;
  change(some: Partial<PriceDraft>): void;
}

export function useDraft(model: string, price: PriceInput | null): PriceForm {
  const [draft, setDraft] = useState<PriceDraft>(() => draftOf(model, price));
  return { draft, change: (some) => setDraft((old) => ({ ...old, ...some })) };
}

function dollars(micros: number | undefined): string {
  return micros === undefined ? "" : writeDollars(micros);
}

function draftOf(model: string, price: PriceInput | null): PriceDraft {
  const long = price?.long_context;
  return {
    model,
    amounts: Object.fromEntries(amountNames.map((name) => [name, dollars(price?.[name])])),
    outputMax: price?.output_tokens_max === undefined ? "" : String(price.output_tokens_max),
    above: long ? String(long.above_tokens) : "",
    inputPercent: String(long?.input_percent ?? 200),
    outputPercent: String(long?.output_percent ?? 150),
    rules: (price?.rules ?? []).map((rule) => ({
      ...Object.fromEntries(conditionNames.map((name) => [name, rule[name] ?? ""])),
      ...Object.fromEntries(pieceNames.map((name) => [name, dollars(rule[name])])),
    })),
  };
}

/** The whole price; what has no field here is taken over from the one that was there. */
export function bodyOf(draft: PriceDraft, before: PriceInput | null): PriceInput {
  const { tool_micros: tools, factors } = before ?? {};
  const rules = draft.rules.map(ruleOf).filter((rule) => Object.keys(rule).length > 0);
  const long = {
    above_tokens: wholeOf(draft.above),
    input_percent: wholeOf(draft.inputPercent),
    output_percent: wholeOf(draft.outputPercent),
  };
  return {
    model: draft.model.trim(),
    ...amountsOf(draft.amounts),
    ...(tools && { tool_micros: tools }),
    ...(factors && { factors }),
    ...(draft.outputMax.trim() !== "" && { output_tokens_max: wholeOf(draft.outputMax) }),
    ...(draft.above.trim() !== "" && { long_context: long }),
    ...(rules.length > 0 && { rules }),
    // What is wrong in it is for the gateway to refuse.
  } as PriceInput;
}

/** What is wrong stays as it was typed, for the gateway to refuse. */
function amountsOf(texts: Record<string, string | undefined>): Record<string, number | string> {
  const set = Object.entries(texts).flatMap(([name, text = ""]) =>
    text.trim() === "" ? [] : [[name, readDollars(text) ?? text] as const],
  );
  return Object.fromEntries(set);
}

function ruleOf(rule: RuleDraft): Record<string, unknown> {
  const { image_micros, second_micros, call_micros, ...conditions } = rule;
  const named = Object.entries(conditions).filter(([, text]) => text.trim() !== "");
  const amounts = Object.entries({ image_micros, second_micros, call_micros }).flatMap(
    ([name, text]) => (text === undefined ? [] : [[name, text] as const]),
  );
  return { ...Object.fromEntries(named), ...amountsOf(Object.fromEntries(amounts)) };
}

function wholeOf(text: string): number | string {
  return readWhole(text) ?? text;
}
