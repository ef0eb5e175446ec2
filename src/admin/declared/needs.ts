// Needs of applying the configuration file.
import type { Log } from "../../core/log.ts";
import type { Random } from "../../core/random.ts";
import type { Seal } from "../../core/seal.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import type { Balances } from "../../quota/balances.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { Reload } from "../reload.ts";

export interface DeclaredNeeds extends NotingNeeds {
  random: Random;
  log: Log;
  seal: Seal;
  balances: Balances;
  ledger: Pick<Ledger, "settled">;
  authenticator: Authenticator;
  reload: Reload;
}
