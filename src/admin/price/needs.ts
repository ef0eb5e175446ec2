// Needs of the verbs of prices.
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { PriceList } from "../../catalogue/lists/price-list.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { Reload } from "../reload.ts";

export interface PriceNeeds extends NotingNeeds {
  reload: Reload;
  catalogue: Catalogue;
  /** The one that is published, which is read when somebody asks. */
  priceList: PriceList;
}
