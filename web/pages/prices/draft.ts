// A price as a form has it, in dollars, and as the API takes it, in micros.
import type { PriceInput } from "../../../src/admin/contract.ts";
import { readDollars, writeDollars } from "../../core/amounts.ts";
import { money, text, whole } from "../../kit/form-fields.tsx";
import { formOf } from "../../kit/form.tsx";
import { windowOf, type WindowDraft } from "./hours.tsx";
import { t } from "./words.ts";

const tokenNames = [
  "input_micros_per_million",
  "output_micros_per_million",
  "cache_read_micros_per_million",
  "cache_write_micros_per_million",
  "cache_write_1h_micros_per_million",
  "audio_input_micros_per_million",
  "audio_output_micros_per_million",
] as const;
const pieceNames = ["image_micros", "second_micros", "call_micros"] as const;
export const amountNames = [...tokenNames, ...pieceNames];
export const conditionNames = ["size", "quality", "resolution", "tier"] as const;
export const ruleNames = [...conditionNames, ...pieceNames];
export type RuleDraft = Partial<Record<(typeof ruleNames)[number], string>>;

type LongContext = NonNullable<PriceInput["long_context"]>;
/** Above how many tokens is what makes one. */
type More = Partial<Omit<PriceInput, "long_context">> &
  Omit<LongContext, "above_tokens"> &
  Partial<LongContext>;
const words = () => ({ ...t(), fields: t().amounts });
const isLong = (name: string) => (param: string) => param === `long_context.${name}`;

export const tokenForm = formOf<PriceInput, PriceInput>()(
  [
    text("model", { isMono: true, isRequired: true, hasFocus: true, isHidden: (isNew) => !isNew }),
    { pair: tokenNames.slice(0, 2).map((name) => money(name)) },
  ],
  words,
);

export const moreForm = formOf<More, PriceInput>()(
  [
    { pair: tokenNames.slice(2).map((name) => money(name)) },
    {
      pair: [
        whole("output_tokens_max", { label: () => t().outputMax }),
        whole("above_tokens", { label: () => t().above, isFault: isLong("above_tokens") }),
        whole("input_percent", {
          label: () => t().inputPercent,
          start: "200",
          isRequired: true,
          isFault: isLong("input_percent"),
        }),
        whole("output_percent", {
          label: () => t().outputPercent,
          start: "150",
          isRequired: true,
          isFault: isLong("output_percent"),
        }),
      ],
    },
  ],
  words,
  ({ long_context: long }) => ({ input_percent: 200, output_percent: 150, ...long }),
);

export const pieceForm = formOf<PriceInput, PriceInput>()(
  [{ pair: pieceNames.map((name) => money(name)) }],
  words,
);

interface Filled {
  tokens: PriceInput;
  more: More;
  pieces: Partial<PriceInput>;
  rules: readonly RuleDraft[];
  windows: readonly WindowDraft[];
}

/** The whole price; what has no field here is taken over from the one that was there. */
export function bodyOf(filled: Filled, before: PriceInput | null): PriceInput {
  const { tool_micros: tools, factors } = before ?? {};
  const { above_tokens, input_percent, output_percent, ...more } = filled.more;
  const rules = filled.rules.map(ruleOf).filter((rule) => Object.keys(rule).length > 0);
  return {
    ...filled.tokens,
    ...more,
    ...filled.pieces,
    ...(tools && { tool_micros: tools }),
    ...(factors && { factors }),
    ...(above_tokens !== undefined && {
      long_context: { above_tokens, input_percent, output_percent },
    }),
    ...(rules.length > 0 && { rules }),
    ...(filled.windows.length > 0 && { hours: filled.windows.map(windowOf) }),
  };
}

export function ruleDraftsOf(price: PriceInput | null): RuleDraft[] {
  return (price?.rules ?? []).map((rule) => ({
    ...Object.fromEntries(conditionNames.map((name) => [name, rule[name] ?? ""])),
    ...Object.fromEntries(
      pieceNames.map((name) => [name, rule[name] === undefined ? "" : writeDollars(rule[name])]),
    ),
  }));
}

/** Wrong values stay as they were typed, for the gateway to refuse. */
function ruleOf(rule: RuleDraft): NonNullable<PriceInput["rules"]>[number] {
  const set = Object.entries(rule).filter(([, typed]) => typed.trim() !== "");
  const isAmount = (name: string) => pieceNames.some((one) => one === name);
  return Object.fromEntries(
    set.map(([name, typed]) => [name, isAmount(name) ? (readDollars(typed) ?? typed) : typed]),
  );
}
