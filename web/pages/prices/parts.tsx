// How amounts are shown, and every price there is, whatever their number.
import { useEffect, useState } from "preact/hooks";
import type { Listed, PriceInput, PriceView } from "../../../src/admin/contract.ts";
import { call, useGet, type Loaded } from "../../core/api.ts";
import { shortMoney } from "../../core/format.ts";
import { t } from "./words.ts";

const path = "/api/price?page_size=100";

/** The list has no search of its own and is short, so all of it is read. */
export function usePrices(): Loaded<{ items: PriceView[] }> {
  const first = useGet<Listed<PriceView>>(path);
  const [rest, setRest] = useState<readonly PriceView[]>([]);
  useEffect(() => {
    let isOver = false;
    void readRest(first.data).then((items) => isOver || setRest(items));
    return () => {
      isOver = true;
    };
  }, [first.data]);
  const data = first.data && { items: [...first.data.items, ...rest] };
  return { ...first, data };
}

export async function readRest(first: Listed<PriceView> | null): Promise<PriceView[]> {
  const items: PriceView[] = [];
  if (!first) return items;
  for (let page = 2; (page - 1) * first.page_size < first.total; page++) {
    items.push(...(await call<Listed<PriceView>>("GET", `${path}&p=${page}`)).items);
  }
  return items;
}

export async function readOwn(): Promise<PriceInput[]> {
  const first = await call<Listed<PriceView>>("GET", path);
  const all = [...first.items, ...(await readRest(first))];
  return all
    .filter(({ source }) => source === "own")
    .map(({ source: _source, declared: _declared, ...price }) => price);
}

export function Amount({ micros }: { micros: number | undefined }) {
  if (micros === undefined) return <span class="faint">–</span>;
  return <span class="number">{shortMoney(micros)}</span>;
}

/** Per image, second or call. */
export function pieceOf(price: PriceInput): string {
  const { image_micros: image, second_micros: second, call_micros: one } = price;
  const words = t();
  const parts = [
    image !== undefined && words.ofImage(shortMoney(image)),
    second !== undefined && words.ofSecond(shortMoney(second)),
    one !== undefined && words.ofCall(shortMoney(one)),
  ];
  return parts.filter((part) => part !== false).join(", ");
}

export function rulesOf(price: PriceInput): number {
  const { rules = [], factors = {}, long_context: long, tool_micros: tools = {} } = price;
  return rules.length + Object.keys(factors).length + Object.keys(tools).length + (long ? 1 : 0);
}

/** All of a price in one line, for a comparison. */
export function lineOf(price: PriceInput | null): string {
  if (!price) return "–";
  const { input_micros_per_million: input, output_micros_per_million: output } = price;
  const tokens =
    input === undefined && output === undefined
      ? ""
      : `${shortMoney(input ?? 0)} / ${shortMoney(output ?? 0)}`;
  const rules = rulesOf(price);
  return [tokens, pieceOf(price), rules > 0 && t().tierCount(rules)].filter(Boolean).join(", ");
}
