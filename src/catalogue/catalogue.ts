// Knowledge of models: the rows that ship with the gateway, and over them those that the operator
// took from the published price list. Own prices stand above both, elsewhere.
import type { ListRow } from "./lists/list-row.ts";
import { noPrice, type ListedPrice, type ModelKind } from "./model.ts";
import { catalogueModels, sandboxPrefix } from "./models.ts";

export interface KnownModel {
  id: string;
  /** For people. */
  name: string;
  kind: ModelKind;
  ownedBy: string;
  /** Longest input; null where nobody says. */
  inputTokensMax: number | null;
  price: ListedPrice;
  source: "list" | "catalogue";
}

export class Catalogue {
  #known: ReadonlyMap<string, KnownModel> = shippedModels;

  /** Undefined of a model that is not known. Those of the sandbox are what they play. */
  find(id: string): KnownModel | undefined {
    const known = this.#known.get(id);
    if (known || !id.startsWith(sandboxPrefix)) return known;
    return this.#known.get(id.slice(sandboxPrefix.length));
  }

  all(): Iterable<KnownModel> {
    return this.#known.values();
  }

  /** The rows that were taken from the list, by the public names of their models. */
  replace(rows: ReadonlyMap<string, ListRow>): void {
    const known = new Map(shippedModels);
    for (const [id, row] of rows) known.set(id, withRow(id, row));
    this.#known = known;
  }
}

const shippedModels: ReadonlyMap<string, KnownModel> = new Map(
  [...catalogueModels].map(([id, model]) => [id, { ...model, name: id, source: "catalogue" }]),
);

/** Fields that the list does not name stay as they ship. */
export function withRow(id: string, row: ListRow): KnownModel {
  const shipped = catalogueModels.get(id);
  return {
    id,
    name: row.name,
    kind: shipped?.kind ?? row.kind,
    ownedBy: shipped?.ownedBy ?? row.vendor,
    inputTokensMax: row.contextTokens ?? shipped?.inputTokensMax ?? null,
    // Rows that were taken over by an earlier release lack what is new in a price.
    price: mergePrices(shipped?.price ?? noPrice, row.price),
    source: "list",
  };
}

function mergePrices(shipped: ListedPrice, listed: ListedPrice): ListedPrice {
  const named = Object.entries(listed).filter(([, amount]) => amount !== null);
  const toolMicros = { ...shipped.toolMicros, ...listed.toolMicros };
  const hasTools = Object.keys(toolMicros).length > 0;
  return { ...shipped, ...Object.fromEntries(named), ...(hasTools && { toolMicros }) };
}
