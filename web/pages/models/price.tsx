// Price of a model for the group of whoever looks: in a line, and in full.
import type { ModelView } from "../../../src/admin/contract.ts";
import { count, fullMoney } from "../../core/format.ts";
import { Facts } from "../../kit/figures.tsx";
import { Table } from "../../kit/table.tsx";
import { t } from "./words.ts";

type Price = NonNullable<ModelView["price"]>;
type Rule = NonNullable<Price["rules"]>[number];

export function priceLine({ price }: ModelView): string {
  const words = t();
  if (price === null) return words.free;
  const { input_micros_per_million: input, output_micros_per_million: output } = price;
  if (price.second_micros !== undefined) return words.perSecond(fullMoney(price.second_micros));
  if (price.image_micros !== undefined) return words.perImage(fullMoney(price.image_micros));
  if (input !== undefined && output) return words.inOut(fullMoney(input), fullMoney(output));
  if (input !== undefined) return fullMoney(input);
  return price.call_micros === undefined ? words.free : words.perCall(fullMoney(price.call_micros));
}

export function PriceFacts({ price }: { price: Price }) {
  const words = t();
  const amount = (name: string, micros: number | undefined, note = "") =>
    micros === undefined
      ? null
      : ([
          name,
          <span class="number">
            {fullMoney(micros)} <span class="faint">{note}</span>
          </span>,
        ] as const);
  const million = words.perMillion;
  const long = price.long_context;
  return (
    <>
      <Facts
        pairs={[
          amount(words.input, price.input_micros_per_million, million),
          amount(words.output, price.output_micros_per_million || undefined, million),
          amount(words.cacheRead, price.cache_read_micros_per_million, million),
          amount(words.cacheWrite, price.cache_write_micros_per_million, million),
          amount(words.cacheWriteHour, price.cache_write_1h_micros_per_million, million),
          amount(words.audioInput, price.audio_input_micros_per_million, million),
          amount(words.audio, price.audio_output_micros_per_million, million),
          amount(words.image, price.image_micros),
          amount(words.second, price.second_micros),
          amount(words.call, price.call_micros),
          ...Object.entries(price.tool_micros ?? {}).map(([name, micros]) => amount(name, micros)),
          long ? [words.longInput(count(long.above_tokens)), factorsOf(long)] : null,
          ...Object.entries(price.factors ?? {}).map(
            ([name, factor]) => [name, factorsOf(factor)] as const,
          ),
        ]}
      />
      {price.rules && <Rules rules={price.rules} />}
    </>
  );
}

function factorsOf(factor: { input_percent: number; output_percent: number }): string {
  return t().factors(String(factor.input_percent / 100), String(factor.output_percent / 100));
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  const words = t();
  return (
    <Table
      label={words.rules}
      rows={rules}
      idOf={(rule) => JSON.stringify(rule)}
      columns={[
        { name: "when", head: words.when, cell: conditionOf },
        {
          name: "amount",
          head: words.amount,
          isRight: true,
          card: "aside",
          cell: (rule) =>
            fullMoney(rule.image_micros ?? rule.second_micros ?? rule.call_micros ?? 0),
        },
      ]}
    />
  );
}

function conditionOf({ size, quality, resolution, tier }: Rule): string {
  return [resolution, size, quality, tier].filter((one) => one !== undefined).join(" · ");
}
