// Needs of the control plane's routes. Each part of them is handed the same things and sees of them
// only what its own type names.
import type { OAuthNeeds } from "../admin/oauth/needs.ts";
import type { SiteNeeds } from "../admin/site/read.ts";
import type { StatusNeeds } from "../admin/status/read.ts";
import type { SelfNeeds } from "../admin/user/needs.ts";
import type { ControlNeeds } from "../http/control.ts";
import type { WorkNeeds } from "../http/records/work.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import type { BoundRules } from "../quota/estimate.ts";
import type { Control } from "./control.ts";
import type { Flows } from "./flows.ts";

/** Facts that only the whole gateway knows of itself. */
interface GatewayFacts {
  version: StatusNeeds["version"];
  obstacles: StatusNeeds["obstacles"];
  shared: StatusNeeds["shared"];
  vitals: StatusNeeds["vitals"];
  distribution: { readonly attemptsMax: number };
  bounds: BoundRules;
  acceptsUrl: SelfNeeds["acceptsUrl"];
}

export function controlNeeds(control: Control, facts: GatewayFacts): ControlNeeds {
  const { version, obstacles, shared, vitals, distribution, bounds, acceptsUrl } = facts;
  const { channels, clock, ledger, store } = control;
  const startedAtMs = clock.monotonicMs();
  return {
    channels: control,
    dryRuns: {
      routes: {
        database: control.database,
        clock,
        channels,
        virtualModels: control.virtualModels,
        affinity: control.affinity,
        groups: control.groups,
        prices: control.prices,
        catalogue: control.catalogue,
        distribution,
      },
      conversions: {
        database: control.database,
        seal: control.seal,
        channels,
        groups: control.groups,
        running: {
          prices: control.prices,
          catalogue: control.catalogue,
          bounds,
          clock,
          ids: control.ids,
          affinity: control.affinity,
          virtualModels: control.virtualModels,
        },
      },
    },
    groups: control,
    prices: control,
    models: { listed: control, virtual: control },
    selves: { accounts: control, acceptsUrl },
    people: control,
    organisations: {
      store,
      database: control.database,
      ids: control.ids,
      clock,
      balances: control.balances,
      authenticator: control.authenticator,
      accountRules: control.accountRules,
      erasing: {
        people: control,
        authenticator: control.authenticator,
        keys: control,
        records: control,
      },
    },
    money: { redemptions: control, budgets: control },
    imports: control,
    webhookSecrets: control,
    tables: control,
    records: control,
    present: {
      inflight: control,
      live: { records: control, live: control.live, deadlines: control.deadlines },
      status: { channels, clock, ledger, store, version, startedAtMs, obstacles, shared, vitals },
    },
  };
}

export function siteNeeds(
  { accountRules, mail }: Control,
  { site, oauth, version }: Omit<SiteNeeds, "accountRules" | "mail">,
): SiteNeeds {
  return { site, oauth, accountRules, version, mail };
}

export function workNeeds(control: Control, { tasks, assets, media }: Flows): WorkNeeds {
  return {
    tasks: {
      records: control,
      noting: control,
      kinds: tasks.kinds,
      media: media.links,
      book: tasks.book,
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
    authenticator: control.authenticator,
    random: control.random,
    store: control.store,
    database: control.database,
    ids: control.ids,
    clock: control.clock,
    log: control.log,
    balances: control.balances,
    ledger: control.ledger,
    accountRules: control.accountRules,
    sessions: control.sessions,
    guesses: control.guesses,
    secondFactors: control.secondFactors,
    signInRules: control.signInRules,
    mail: control.mail,
  };
}
