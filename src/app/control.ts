// What the control plane works with, and what the flows share with it.
import type { ControlParts } from "../admin/parts.ts";
import type { Config } from "../config/config.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import { createIds } from "../core/ids.ts";
import { describe } from "../core/log.ts";
import { send } from "../core/wire/send.ts";
import { systemRandom } from "../core/random.ts";
import { createSeal } from "../core/seal.ts";
import { Channels } from "../distribution/channels.ts";
import { Guesses } from "../identity/access/guesses.ts";
import { Sessions } from "../identity/access/sessions.ts";
import { Authenticator } from "../identity/authenticate.ts";
import { SecondFactors } from "../identity/factors/second-factors.ts";
import { Groups } from "../identity/groups.ts";
import { Balances } from "../quota/balances.ts";
import { Ledger } from "../quota/ledger.ts";
import { Prices } from "../quota/prices.ts";
import { ledgerProgram } from "../quota/queries.ts";
import { createDatabase } from "../store/database.ts";
import { WebhookSecrets } from "../tasks/webhooks/secrets.ts";
import { secretOf, type Base } from "./base.ts";

export function createControl(
  config: Config,
  { log, deadlines, store, practice }: Base,
): ControlParts {
  const database = createDatabase(store);
  const secret = secretOf(config);
  const seal = createSeal(secret, systemRandom);
  const groups = new Groups();
  const ledger = new Ledger(
    {
      write: ({ document, sync }) =>
        store.append({ program: ledgerProgram, document }, sync ? "synced" : "written"),
      clock: systemClock,
      timers: systemTimers,
      soon: (run) => void setImmediate(run),
      faulted: (error) => log.error("the journal cannot write", { error: describe(error) }),
    },
    config.journal,
  );
  const ids = createIds(systemClock, systemRandom);
  const system = { clock: systemClock, random: systemRandom, ids };
  return {
    store,
    database,
    seal,
    webhookSecrets: new WebhookSecrets({ master: secret, database, clock: systemClock }),
    ...system,
    log,
    send,
    deadlines,
    ledger,
    balances: new Balances({ database, store, ledger }),
    groups,
    authenticator: new Authenticator(database, groups, systemClock),
    sessions: new Sessions({ store, database, ...system, limits: config.sessions }),
    guesses: new Guesses(systemClock),
    registration: config.accounts.registration,
    secondFactors: new SecondFactors({ database, seal, log, ...system }),
    adminSecondFactor: config.signIn.adminSecondFactor,
    channels: new Channels(config.distribution),
    prices: new Prices(config.unpriced),
    sandboxChannels: () => practice.channels(),
    isSandboxKept: config.sandbox === "on",
  };
}
