// A vendor's offer, stated by its folder: which models of the catalogue its channels serve, and
// under what names.
import type { CatalogueModel } from "../src/catalogue/model.ts";
import type { UpstreamDialect } from "../src/formats/exchange.ts";

export interface Offer {
  /** The channel's name and the vendor's type, which is also its prefix. */
  name: string;
  type: string;
  dialect?: UpstreamDialect;
  /** The others come first when it is below zero. */
  priority?: number;
  serves(model: CatalogueModel): boolean;
  /** The vendor's names of models that it tells from one another by name. */
  names?: Readonly<Record<string, string>>;
}

/** True of the owners' models of one of the kinds. */
export function ownedBy(owners: readonly string[], ...kinds: CatalogueModel["kind"][]) {
  return (model: CatalogueModel) => kinds.includes(model.kind) && owners.includes(model.ownedBy);
}
