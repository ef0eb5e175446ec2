// What the routes of the control plane are made with. Each part of them is handed the same things
// and sees of them only what its own type names.
import type { OAuthNeeds } from "../admin/oauth/needs.ts";
import type { StatusNeeds } from "../admin/status/read.ts";
import type { ControlNeeds } from "../http/control.ts";
import type { WorkNeeds } from "../http/records/work.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import type { Control } from "./control.ts";
import type { Flows } from "./flows.ts";

/** What only the whole gateway knows of itself. */
interface GatewayFacts {
  version: StatusNeeds["version"];
  obstacles: StatusNeeds["obstacles"];
}

export function controlNeeds(control: Control, facts: GatewayFacts): ControlNeeds {
  const { version, obstacles } = facts;
  const { channels, clock, ledger } = control;
  const startedAtMs = clock.monotonicMs();
  return {
    channels: control,
    groups: control,
    prices: control,
    models: control,
    accounts: control,
    people: control,
    erasing: { people: control, authenticator: control.authenticator, records: control },
    redemptions: control,
    imports: control,
    webhookSecrets: control,
    tables: control,
    records: control,
    status: { channels, clock, ledger, version, startedAtMs, obstacles },
  };
}

export function workNeeds(control: Control, { tasks, videos, assets, media }: Flows): WorkNeeds {
  return {
    tasks: {
      records: control,
      noting: control,
      kinds: tasks.kinds,
      media: media.links,
      cancelling: videos.reading.cancelling,
    },
    callbacks: {
      noting: control,
      webhooks: tasks.webhooks,
      acceptsUrl: (url) => media.fetch.accepts(url),
    },
    assets: { database: control.database, assets },
  };
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
