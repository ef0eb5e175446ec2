// Every price there is: the operator's own, then the catalogue's where there is no own.
import type { KnownModel } from "../../catalogue/catalogue.ts";
import type { Operator } from "../../identity/caller.ts";
import { toPriceInput } from "../../quota/price-rows.ts";
import { readPrices } from "../../quota/queries.ts";
import type { PriceTable } from "../../store/schema.ts";
import type { Listed, PriceView } from "../contract.ts";
import { cutPage, readPage } from "../page.ts";
import type { PriceNeeds } from "./needs.ts";

export async function listPriceViews(
  { database, catalogue }: PriceNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<PriceView>> {
  const own = await readPrices(database);
  const isOwn = new Set(own.map(({ model }) => model));
  const shipped = [...catalogue.all()].filter(({ id }) => !isOwn.has(id));
  const views = [...own.map(toView), ...shipped.map(toCatalogueView)];
  return cutPage(
    readPage(query),
    views.toSorted((a, b) => (a.model < b.model ? -1 : 1)),
  );
}

export function toView({ document, declared }: PriceTable): PriceView {
  return { ...JSON.parse(document), source: "own", declared: declared === 1 };
}

function toCatalogueView({ id, price, source }: KnownModel): PriceView {
  return { ...toPriceInput(id, price), source, declared: false };
}
