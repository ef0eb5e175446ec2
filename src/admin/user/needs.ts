// Needs of the verbs of accounts.
import type { Config } from "../../config/config.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { Balances } from "../../quota/balances.ts";
import type { Database } from "../../store/database.ts";
import type { PeopleMail } from "../email/people-mail.ts";
import type { KeyNeeds } from "../key/needs.ts";

/** An account has all that a key has, and money. */
export interface UserNeeds extends KeyNeeds {
  ledger: Ledger;
  accountRules: Pick<Config["accounts"], "keysMax" | "startingCreditMicros">;
  /** Null where people have no e-mail here. */
  mail: PeopleMail | null;
}

/** Settings of one's own account may name an address that the gateway is to call. */
export interface SelfNeeds {
  accounts: UserNeeds;
  /** Null for one that leads to no public place. */
  acceptsUrl(url: string): string | null;
}

/** To show an account, its balance is needed. */
export interface UserViewNeeds {
  database: Database;
  balances: Balances;
}
