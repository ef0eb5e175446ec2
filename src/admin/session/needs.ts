// Needs of letting people in, by whatever they prove themselves.
import type { Config } from "../../config/config.ts";
import type { Log } from "../../core/log.ts";
import type { Guesses } from "../../identity/access/guesses.ts";
import type { Sessions } from "../../identity/access/sessions.ts";
import type { SecondFactors } from "../../identity/factors/second-factors.ts";
import type { PeopleMail } from "../email/people-mail.ts";
import type { StartingCreditNeeds } from "../user/starting-credit.ts";

export interface SignInNeeds extends StartingCreditNeeds {
  log: Log;
  sessions: Sessions;
  guesses: Guesses;
  secondFactors: SecondFactors;
  accountRules: Pick<Config["accounts"], "registration" | "startingCreditMicros">;
  signInRules: Pick<Config["signIn"], "adminSecondFactor">;
  /** Null where people have no e-mail here. */
  mail: PeopleMail | null;
}
