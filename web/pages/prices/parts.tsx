// Views of amounts, and of one's own prices.
import type { PriceInput } from "../../../src/admin/contract.ts";
import { get } from "../../core/control.ts";
import { fullMoney } from "../../core/format.ts";
import { t } from "./words.ts";

/** All of one's own prices, whatever their number. */
export async function readOwn(): Promise<PriceInput[]> {
  const own: PriceInput[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await get("GET /api/price", {
      query: { source: "own", page_size: 100, p: page },
    });
    own.push(...items.map(({ source: _source, declared: _declared, ...price }) => price));
    if (items.length === 0 || own.length >= total) return own;
  }
}

export function Amount({ micros }: { micros: number | undefined }) {
  if (micros === undefined) return <span class="faint">–</span>;
  return <span class="number">{fullMoney(micros)}</span>;
}

/** Per image, second or call. */
export function pieceOf(price: PriceInput): string {
  const { image_micros: image, second_micros: second, call_micros: one } = price;
  const words = t();
  const parts = [
    image !== undefined && words.ofImage(fullMoney(image)),
    second !== undefined && words.ofSecond(fullMoney(second)),
    one !== undefined && words.ofCall(fullMoney(one)),
  ];
  return parts.filter((part) => part !== false).join(", ");
}

export function rulesOf(price: PriceInput): number {
  const { rules = [], factors = {}, long_context: long, tool_micros: tools = {} } = price;
  const named = Object.keys(factors).length + Object.keys(tools).length + (long ? 1 : 0);
  return rules.length + named + (price.hours?.length ?? 0);
}

/** All of a price in one line, for a comparison. */
export function lineOf(price: PriceInput | null): string {
  if (!price) return "–";
  const { input_micros_per_million: input, output_micros_per_million: output } = price;
  const tokens =
    input === undefined && output === undefined
      ? ""
      : `${fullMoney(input ?? 0)} / ${fullMoney(output ?? 0)}`;
  const rules = rulesOf(price);
  return [tokens, pieceOf(price), rules > 0 && t().tierCount(rules)].filter(Boolean).join(", ");
}
