// What the verbs of prices work with.
import type { NotingNeeds } from "../audit/entry.ts";
import type { Reload } from "../reload.ts";

export interface PriceNeeds extends NotingNeeds {
  reload: Reload;
}
