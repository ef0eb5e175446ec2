// Every price there is: the operator's own, then the catalogue's where there is no own.
import type { KnownModel } from "../../catalogue/catalogue.ts";
import type { Operator } from "../../identity/caller.ts";
import { toPriceInput } from "../../quota/price-rows.ts";
import { readPrices } from "../../quota/queries.ts";
import type { PriceTable } from "../../store/schema.ts";
import type { Listed, PriceView } from "../contract.ts";
import { cutPage, readPage } from "../page.ts";
import { readPrefix, readSort, readWord } from "../search.ts";
import type { PriceNeeds } from "./needs.ts";

export const priceSources = ["own", "list", "catalogue"] as const;
export const priceSorts = ["model", "input", "output"] as const;

export async function listPriceViews(
  { database, catalogue }: PriceNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<PriceView>> {
  const page = readPage(query);
  const part = readPrefix(query).prefix?.toLowerCase() ?? "";
  const source = readWord(query, "source", priceSources);
  const order = orderBy(readSort(query, priceSorts));
  const own = await readPrices(database);
  const isOwn = new Set(own.map(({ model }) => model));
  const shipped = [...catalogue.all()].filter(({ id }) => !isOwn.has(id));
  const views = [...own.map(toView), ...shipped.map(toCatalogueView)];
  const matching = views.filter(
    (view) =>
      view.model.toLowerCase().includes(part) && (source === null || view.source === source),
  );
  return cutPage(page, matching.toSorted(order));
}

const amounts = { input: "input_micros_per_million", output: "output_micros_per_million" } as const;

/** By a price, those that have none come first; equals by their names. */
function orderBy(sort: ReturnType<typeof readSort<(typeof priceSorts)[number]>>) {
  const { field, isDown } = sort ?? { field: "model", isDown: false };
  const sign = isDown ? -1 : 1;
  return (one: PriceView, other: PriceView): number => {
    const byModel = one.model < other.model ? -1 : 1;
    if (field === "model") return sign * byModel;
    const difference = (one[amounts[field]] ?? -1) - (other[amounts[field]] ?? -1);
    return difference === 0 ? byModel : sign * difference;
  };
}

export function toView({ document, declared }: PriceTable): PriceView {
  return { ...JSON.parse(document), source: "own", declared: declared === 1 };
}

function toCatalogueView({ id, price, source }: KnownModel): PriceView {
  return { ...toPriceInput(id, price), source, declared: false };
}
