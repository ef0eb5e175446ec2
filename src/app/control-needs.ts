// What the routes of the control plane are made with. Each part of them is handed the same things
// and sees of them only what its own type names.
import type { OAuthNeeds } from "../admin/oauth/needs.ts";
import type { SiteNeeds } from "../admin/site/read.ts";
import type { StatusNeeds } from "../admin/status/read.ts";
import type { ControlNeeds } from "../http/control.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import type { Control } from "./control.ts";

/** What only the whole gateway knows of itself. */
interface GatewayFacts {
  version: StatusNeeds["version"];
  obstacles: StatusNeeds["obstacles"];
  shared: StatusNeeds["shared"];
  attemptsMax: number;
}

export function controlNeeds(control: Control, facts: GatewayFacts): ControlNeeds {
  const { version, obstacles, shared, attemptsMax } = facts;
  const { channels, clock, ledger } = control;
  const startedAtMs = clock.monotonicMs();
  return {
    channels: control,
    routes: {
      database: control.database,
      clock,
      channels,
      groups: control.groups,
      prices: control.prices,
      catalogue: control.catalogue,
      attemptsMax,
    },
    groups: control,
    prices: control,
    models: control,
    accounts: control,
    people: control,
    erasing: {
      people: control,
      authenticator: control.authenticator,
      keys: control,
      records: control,
    },
    redemptions: control,
    imports: control,
    webhookSecrets: control,
    tables: control,
    records: control,
    inflight: control,
    live: { records: control, live: control.live, deadlines: control.deadlines },
    status: { channels, clock, ledger, version, startedAtMs, obstacles, shared },
  };
}

export function siteNeeds(
  { registration }: Control,
  { site, oauth, version }: Omit<SiteNeeds, "registration">,
): SiteNeeds {
  return { site, oauth, registration, version };
}

export function oauthNeeds(control: Control, oauth: OAuth): OAuthNeeds {
  return {
    oauth,
    random: control.random,
    store: control.store,
    database: control.database,
    ids: control.ids,
    clock: control.clock,
    log: control.log,
    balances: control.balances,
    ledger: control.ledger,
    startingCreditMicros: control.startingCreditMicros,
    sessions: control.sessions,
    guesses: control.guesses,
    secondFactors: control.secondFactors,
    registration: control.registration,
    adminSecondFactor: control.adminSecondFactor,
  };
}
