// Needs of the verbs of redemption codes.
import type { Random } from "../../core/random.ts";
import type { Guesses } from "../../identity/access/guesses.ts";
import type { Balances } from "../../quota/balances.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { NotingNeeds } from "../audit/entry.ts";

export interface RedemptionNeeds extends NotingNeeds {
  random: Random;
  guesses: Guesses;
  balances: Balances;
  ledger: Ledger;
}
