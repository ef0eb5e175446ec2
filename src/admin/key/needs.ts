// Needs of the verbs of API keys.
import type { Config } from "../../config/config.ts";
import type { Random } from "../../core/random.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import type { KeyUse } from "../../identity/key-use.ts";
import type { Limits } from "../../limits/limiter.ts";
import type { Groups } from "../../identity/groups.ts";
import type { Balances } from "../../quota/balances.ts";
import type { NotingNeeds } from "../audit/entry.ts";

export interface KeyNeeds extends NotingNeeds {
  random: Random;
  balances: Balances;
  groups: Groups;
  authenticator: Authenticator;
  keyUse: KeyUse;
  limits: Limits;
  accountRules: Pick<Config["accounts"], "keysMax">;
}
