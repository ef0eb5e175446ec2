// Needs of the verbs of organisations.
import type { Config } from "../../config/config.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import type { Balances } from "../../quota/balances.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { EraseNeeds } from "../erase/erase.ts";

export interface OrganisationNeeds extends NotingNeeds {
  balances: Balances;
  authenticator: Pick<Authenticator, "forget">;
  accountRules: Pick<Config["accounts"], "organisations">;
  /** Ends one like an account that is deleted for good. */
  erasing: EraseNeeds;
}
