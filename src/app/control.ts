// Parts made once that stand behind the control plane as well as the flows. Only this folder names
// the type: whoever it is handed to sees of it what its own needs name.
import type { Books } from "../admin/ledger/needs.ts";
import { watchSpends } from "../gateway/channel-spends.ts";
import { Reload } from "../admin/reload.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { PriceList } from "../catalogue/lists/price-list.ts";
import type { Config } from "../config/config.ts";
import type { AdminSecondFactor, Registration } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { Lru } from "../core/lru.ts";
import type { Deadlines } from "../core/deadline.ts";
import { createIds, type Ids } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { Send } from "../core/outbound.ts";
import { systemRandom, type Random } from "../core/random.ts";
import { createSeal, type Seal } from "../core/seal.ts";
import { Affinity } from "../distribution/affinity.ts";
import { Channels } from "../distribution/channels.ts";
import { VirtualModels } from "../distribution/virtual-models.ts";
import { OpenCalls } from "../gateway/open-calls.ts";
import { Guesses } from "../identity/access/guesses.ts";
import { Sessions } from "../identity/access/sessions.ts";
import { Authenticator } from "../identity/authenticate.ts";
import { SecondFactors } from "../identity/factors/second-factors.ts";
import { Groups } from "../identity/groups.ts";
import { Captures } from "../observe/capture/captures.ts";
import { createRedactor } from "../observe/content/redact.ts";
import type { FacetMemory } from "../observe/facets/read.ts";
import { LiveLog } from "../observe/live/live-log.ts";
import { RowsElsewhere } from "../observe/live/rows-elsewhere.ts";
import { KeyUse } from "../identity/key-use.ts";
import type { Limits } from "../limits/limiter.ts";
import { Balances } from "../quota/balances.ts";
import type { Ledger } from "../quota/ledger.ts";
import { Prices } from "../quota/prices.ts";
import { createDatabase, type Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { WebhookSecrets } from "../tasks/webhooks/secrets.ts";
import { secretOf, type Base } from "./base.ts";
import { createSole, type Bookkeeping } from "./ledger.ts";
import { KeptBooks } from "./books/books.ts";
import type { Machine } from "./machine.ts";
import { createSend } from "./send.ts";

export interface Control {
  store: Store;
  database: Database;
  seal: Seal;
  webhookSecrets: WebhookSecrets;
  ids: Ids;
  machine: Machine;
  clock: Clock;
  random: Random;
  log: Log;
  send: Send;
  deadlines: Deadlines;
  bookkeeping: Bookkeeping;
  ledger: Ledger;
  balances: Balances;
  groups: Groups;
  authenticator: Authenticator;
  keyUse: KeyUse;
  limits: Limits;
  sessions: Sessions;
  guesses: Guesses;
  registration: Registration;
  keysMax: number;
  startingCreditMicros: number;
  secondFactors: SecondFactors;
  adminSecondFactor: AdminSecondFactor;
  channels: Channels;
  virtualModels: VirtualModels;
  affinity: Affinity;
  prices: Prices;
  catalogue: Catalogue;
  priceList: PriceList;
  reload: Reload;
  live: LiveLog;
  captures: Captures;
  openCalls: OpenCalls;
  books: Books;
  facetMemory: FacetMemory;
}

/** Charts of at most three quarters of a megabyte each. */
const rememberedChartsMax = 16;

export async function createControl(config: Config, base: Base): Promise<Control> {
  const { log, machine, clock, deadlines, store, practice, shared } = base;
  const database = createDatabase(store);
  const secret = secretOf(config);
  const random = systemRandom;
  const seal = createSeal(secret, random);
  const ids = createIds(clock, random);
  const bookkeeping = await createBookkeeping(config, base);
  const { ledger, slices } = bookkeeping;
  const groups = new Groups();
  const sessions = new Sessions({ store, database, clock, random, ids, limits: config.sessions });
  const authenticator = new Authenticator({ database, groups, clock, sessions });
  const channels = new Channels(config.distribution, shared.liveNodes);
  const virtualModels = new VirtualModels();
  const catalogue = new Catalogue();
  const prices = new Prices(config.unpriced, catalogue, clock);
  return {
    store,
    database,
    seal,
    webhookSecrets: new WebhookSecrets({ master: secret, database, clock }),
    ids,
    machine,
    clock,
    random,
    log,
    send: createSend(config, { clock, deadlines }),
    deadlines,
    bookkeeping,
    ledger,
    balances: new Balances({ database, store, ledger, slices }),
    groups,
    authenticator,
    keyUse: new KeyUse(store, database),
    limits: shared.limits,
    sessions,
    guesses: new Guesses(clock, shared.liveNodes),
    registration: config.accounts.registration,
    keysMax: config.accounts.keysMax,
    startingCreditMicros: config.accounts.startingCreditMicros,
    secondFactors: new SecondFactors({ database, seal, log, clock, random }),
    adminSecondFactor: config.signIn.adminSecondFactor,
    channels,
    virtualModels,
    affinity: new Affinity({ clock, isOn: config.distribution.affinity }),
    prices,
    catalogue,
    live: new LiveLog(followed(base)),
    captures: createCaptures(config, { clock, store, database, seal, log }),
    openCalls: new OpenCalls(),
    priceList: new PriceList(deadlines, () => clock.nowMs()),
    facetMemory: new Lru(rememberedChartsMax),
    books: createBooks(config),
    reload: new Reload({
      channelsReplaced: watchSpends({ channels, store, clock, log, timers: machine.timers }),
      database,
      seal,
      channels,
      virtualModels,
      prices,
      catalogue,
      groups,
      authenticator,
      sandboxChannels: (audience) => practice.channels(audience),
      isSandboxKept: config.sandbox === "on",
    }),
  };
}

function createBooks({ databaseUrl, dataFolder, retention: { usageDays } }: Config): KeptBooks {
  return new KeptBooks({ source: { databaseUrl, dataFolder }, usageDays });
}

function createCaptures(
  { contentLog }: Config,
  {
    clock,
    store,
    database,
    seal,
    log,
  }: Pick<Control, "clock" | "store" | "database" | "seal" | "log">,
): Captures {
  const { redact, patterns, textCharactersMax: charactersMax } = contentLog;
  const redactor = createRedactor(redact, patterns);
  return new Captures({ clock, store, database, seal, log, redact: redactor, charactersMax });
}

/** The log of several nodes is followed in the database, that of one in memory alone. */
function followed({ store, machine: { timers } }: Base): RowsElsewhere | null {
  return store.sharing ? new RowsElsewhere({ log: store, timers }) : null;
}

/** Bookkeeping of a process that has the database to itself, or of one node among others. */
async function createBookkeeping(config: Config, base: Base): Promise<Bookkeeping> {
  const { turns } = base.store;
  if (!turns) return createSole(config, base);
  const { createCluster } = await import("./nodes/cluster.ts");
  return createCluster(config, base, turns);
}
