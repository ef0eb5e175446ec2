// Every price there is: the operator's own, then the catalogue's where there is no own.
import type { KnownModel } from "../../catalogue/catalogue.ts";
import type { Operator } from "../../identity/caller.ts";
import { toPriceInput } from "../../quota/price-rows.ts";
import { readPrices } from "../../quota/queries.ts";
import type { PriceTable } from "../../store/price-tables.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { cutPage, pageOf } from "../page.ts";
import { toOrder } from "../search.ts";
import type { PriceCalls, PriceView } from "./contract.ts";
import type { PriceNeeds } from "./needs.ts";

export async function listPriceViews(
  { database, catalogue }: PriceNeeds,
  _operator: Operator,
  { query }: InputOf<PriceCalls["list"]>,
): Promise<Listed<PriceView>> {
  const { q: part = "", source, sort = "model" } = query;
  const own = await readPrices(database);
  const isOwn = new Set(own.map(({ model }) => model));
  const shipped = [...catalogue.all()].filter(({ id }) => !isOwn.has(id));
  const views = [...own.map(toView), ...shipped.map(toCatalogueView)];
  const matching = views.filter(
    (view) =>
      view.model.toLowerCase().includes(part.toLowerCase()) &&
      (source === undefined || view.source === source),
  );
  return cutPage(pageOf(query), matching.toSorted(orderBy(sort)));
}

const amounts = { input: "input_micros_per_million", output: "output_micros_per_million" } as const;

/** Models without a price come first in an order by price; equals by their names. */
function orderBy(sort: NonNullable<InputOf<PriceCalls["list"]>["query"]["sort"]>) {
  const { field, isDown } = toOrder<"model" | "input" | "output">(sort);
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
