// Price of a model for the group of whoever looks: in a line, and in full.
import type { ModelView } from "../../../src/admin/contract.ts";
import { count, fullMoney } from "../../core/format.ts";
import { entryOf, language } from "../../core/words.ts";
import { Facts } from "../../kit/figures.tsx";
import { Table } from "../../kit/table.tsx";
import { t } from "./words.ts";

type Price = NonNullable<ModelView["price"]>;
type Rule = NonNullable<Price["rules"]>[number];
type Hours = NonNullable<Price["hours"]>[number];

export function priceLine({ price }: ModelView): string {
  const words = t();
  if (price === null) return words.free;
  const { input_micros_per_million: input, output_micros_per_million: output } = price;
  if (price.second_micros !== undefined) return words.perSecond(fullMoney(price.second_micros));
  if (price.image_micros !== undefined) return words.perImage(fullMoney(price.image_micros));
  if (input !== undefined) return tokensLine(input, output);
  return price.call_micros === undefined ? words.free : words.perCall(fullMoney(price.call_micros));
}

function tokensLine(input: number, output: number | undefined): string {
  return output ? t().inOut(fullMoney(input), fullMoney(output)) : fullMoney(input);
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
          ...(price.hours ?? []).map((hours) => [whenOf(hours), hoursOf(hours)] as const),
          price.now?.input_micros_per_million !== undefined && [
            words.now,
            tokensLine(price.now.input_micros_per_million, price.now.output_micros_per_million),
          ],
        ]}
      />
      {price.rules && <Rules rules={price.rules} />}
    </>
  );
}

/** Mon–Fri 09:00–18:00 Asia/Shanghai */
function whenOf({ days = "", from, to, zone = "UTC" }: Hours): string {
  const named = days.replaceAll(/[a-z]{3}/g, weekdayOf).replaceAll("-", "–");
  return [named, `${from}–${to}`, zone].filter((part) => part !== "").join(" ");
}

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** A Monday. */
const weekStartMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

function weekdayOf(day: string): string {
  const at = weekStartMs + weekdays.indexOf(day) * dayMs;
  const { locale } = entryOf(language.value);
  return new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" }).format(at);
}

function hoursOf(hours: Hours): string {
  const { input_percent = 100, output_percent = 100 } = hours;
  const { input_micros_per_million: input, output_micros_per_million: output } = hours;
  const amounts = input === undefined ? [] : [tokensLine(input, output)];
  const isSame = input_percent === 100 && output_percent === 100 && amounts.length > 0;
  return [...amounts, ...(isSame ? [] : [factorsOf({ input_percent, output_percent })])].join(", ");
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
