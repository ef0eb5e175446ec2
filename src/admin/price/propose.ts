// The published price list's rows for the models that channels serve, beside the prices in force.
import { withRow } from "../../catalogue/catalogue.ts";
import { dearest, type ListRow } from "../../catalogue/lists/list-row.ts";
import type { FoundRow, ListAsk } from "../../catalogue/lists/list-thread.ts";
import { readChannels } from "../../distribution/queries.ts";
import { findImageFamily, findVideoFamily } from "../../families/index.ts";
import { toPriceInput } from "../../quota/price-rows.ts";
import { readPrices } from "../../quota/queries.ts";
import type { PriceChange } from "./contract.ts";
import type { PriceNeeds } from "./needs.ts";

interface Proposal {
  change: PriceChange;
  /** The row of the list that would be kept. */
  row: ListRow | null;
}

/** For these models, or for all that channels serve. */
export async function proposePrices(
  needs: PriceNeeds,
  wanted: readonly string[] | null,
): Promise<Proposal[]> {
  const places = await readPlaces(needs);
  const models = (wanted ?? [...places.keys()]).filter(isCharged).toSorted();
  const asks = models.map((model) => places.get(model) ?? [{ name: model, address: "" }]);
  const listed = await needs.priceList.rows(asks.flat());
  const own = new Map((await readPrices(needs.database)).map((row) => [row.model, row]));
  let at = 0;
  return models.map((model, index) => {
    const count = asks[index]?.length ?? 0;
    const row = joinRows(listed.slice(at, (at += count)).filter((one) => one !== null));
    return propose(needs, { model, row, own: own.get(model)?.document ?? null });
  });
}

/** Pictures and films are charged by the piece, which the list does not know. */
function isCharged(model: string): boolean {
  return !findImageFamily(model) && !findVideoFamily(model);
}

/** Address and name under which each model is bought. */
async function readPlaces({ database }: PriceNeeds): Promise<Map<string, ListAsk[]>> {
  const places = new Map<string, ListAsk[]>();
  for (const channel of await readChannels(database)) {
    const names: Record<string, string> = JSON.parse(channel.model_mapping);
    const models: string[] = JSON.parse(channel.models);
    for (const model of models) {
      const ask = { name: names[model] ?? model, address: channel.base_url };
      places.set(model, [...(places.get(model) ?? []), ask]);
    }
  }
  return places;
}

/** One that is bought at several places costs what the dearest of them asks. */
function joinRows(rows: readonly FoundRow[]): FoundRow | null {
  const sure = rows.filter(({ by }) => by === "address");
  const [first, ...others] = sure.length > 0 ? sure : rows;
  if (!first || others.length === 0) return first ?? null;
  const windows = [first, ...others].map(({ contextTokens }) => contextTokens ?? 0);
  return {
    ...first,
    vendor: [...new Set([first, ...others].map(({ vendor }) => vendor))].join(", "),
    contextTokens: Math.max(...windows) || null,
    price: dearest([first, ...others].map(({ price }) => price)),
  };
}

interface Grounds {
  model: string;
  row: FoundRow | null;
  /** The operator's price, as it is kept. */
  own: string | null;
}

function propose({ catalogue }: PriceNeeds, { model, row, own }: Grounds): Proposal {
  const known = catalogue.find(model);
  const shown = own === null ? known && toPriceInput(model, known.price) : JSON.parse(own);
  const before: PriceChange["before"] = shown ?? null;
  const after = row && toPriceInput(model, withRow(model, row).price);
  const facts = {
    model,
    vendor: row?.vendor ?? null,
    by: row?.by ?? null,
    name: row?.name ?? null,
    context_tokens: row?.contextTokens ?? null,
    before,
    after,
  };
  const kind = kindOf(before, after, own !== null);
  if (!row) return { change: { ...facts, kind }, row: null };
  const { by: _by, ...kept } = row;
  return { change: { ...facts, kind }, row: kept };
}

function kindOf(
  before: PriceChange["before"],
  after: PriceChange["after"],
  isOwn: boolean,
): PriceChange["kind"] {
  if (!after) return "unlisted";
  if (isOwn) return "own";
  if (!before) return "new";
  return Bun.deepEquals(before, after) ? "same" : "changed";
}
