// What each part of the control plane is handed, and nothing else.
import type { OAuthNeeds } from "../admin/oauth/needs.ts";
import type { SignInNeeds } from "../admin/session/needs.ts";
import type { StatusNeeds } from "../admin/status/read.ts";
import type { ControlNeeds } from "../http/control.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import type { Control } from "./control.ts";

/** What only the whole gateway knows of itself. */
export interface GatewayFacts {
  version: StatusNeeds["version"];
  obstacles: StatusNeeds["obstacles"];
}

export function controlNeeds(control: Control, { version, obstacles }: GatewayFacts): ControlNeeds {
  const { store, database, ids, clock, random, seal, send, deadlines, reload } = control;
  const { channels, groups, authenticator, balances, ledger, guesses, webhookSecrets } = control;
  const startedAtMs = clock.monotonicMs();
  return {
    channels: { store, database, ids, clock, seal, channels, send, deadlines, reload },
    groups: { store, database, ids, clock, groups, reload },
    prices: { store, database, ids, clock, reload },
    accounts: {
      store,
      database,
      ids,
      clock,
      random,
      balances,
      ledger,
      groups,
      authenticator,
    },
    redemptions: { store, database, ids, clock, random, guesses, balances, ledger },
    webhookSecrets: { store, database, ids, clock, webhookSecrets },
    tables: { store, database, ids, clock },
    records: { store, database, clock, channels },
    status: { channels, clock, ledger, version, startedAtMs, obstacles },
  };
}

export function signInNeeds(control: Control): SignInNeeds {
  const { store, database, ids, clock, log, balances, sessions, guesses } = control;
  const { secondFactors, registration, adminSecondFactor } = control;
  return {
    store,
    database,
    ids,
    clock,
    log,
    balances,
    sessions,
    guesses,
    secondFactors,
    registration,
    adminSecondFactor,
  };
}

export function oauthNeeds(control: Control, oauth: OAuth): OAuthNeeds {
  const { store, database, ids, clock, log, balances, sessions, guesses, random } = control;
  const { secondFactors, registration, adminSecondFactor } = control;
  return {
    store,
    database,
    ids,
    clock,
    log,
    balances,
    sessions,
    guesses,
    secondFactors,
    registration,
    adminSecondFactor,
    oauth,
    random,
  };
}
