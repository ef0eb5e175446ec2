// Parts made once that stand behind the control plane as well as the flows. Only this folder names
// the type: whoever it is handed to sees of it what its own needs name.
import type { PeopleMail } from "../admin/email/people-mail.ts";
import type { Books } from "../admin/ledger/needs.ts";
import { watchChannelBudgets } from "../gateway/channel-budgets.ts";
import { watchSpends } from "../gateway/channel-spends.ts";
import { Reload } from "../admin/reload.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { PriceList } from "../catalogue/lists/price-list.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import { Lru } from "../core/lru.ts";
import type { Deadlines } from "../core/deadline.ts";
import { createIds, type Ids } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { Send } from "../core/outbound.ts";
import { systemRandom, type Random } from "../core/random.ts";
import type { TwofoldSeal } from "../core/seal.ts";
import { Affinity } from "../distribution/affinity.ts";
import { Channels } from "../distribution/channels.ts";
import { VirtualModels } from "../distribution/virtual-models.ts";
import { OpenCalls } from "../gateway/open-calls.ts";
import { Guesses } from "../identity/access/guesses.ts";
import { Sessions } from "../identity/access/sessions.ts";
import { Organisations } from "../identity/organisations/organisations.ts";
import { KnownBudgets } from "../identity/budgets/budgets.ts";
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
import { createMailDesk, type MailDesk } from "./mail/desk.ts";
import { createSend } from "./send.ts";

export interface Control {
  store: Store;
  database: Database;
  seal: TwofoldSeal;
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
  organisations: Organisations;
  keyUse: KeyUse;
  limits: Limits;
  sessions: Sessions;
  guesses: Guesses;
  accountRules: Config["accounts"];
  secondFactors: SecondFactors;
  signInRules: Config["signIn"];
  /** Null where people have no e-mail here. */
  mail: PeopleMail | null;
  /** Null where there is no server to send e-mail by. */
  mailDesk: MailDesk | null;
  channels: Channels;
  virtualModels: VirtualModels;
  budgets: KnownBudgets;
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

interface ControlGrounds {
  base: Base;
  seal: TwofoldSeal;
  /** Address at which people open the gateway. */
  baseUrl(): string;
}

export async function createControl(config: Config, grounds: ControlGrounds): Promise<Control> {
  const { base, seal, baseUrl } = grounds;
  const { log, machine, clock, deadlines, store, shared } = base;
  const database = createDatabase(store);
  const secret = secretOf(config);
  const random = systemRandom;
  const ids = createIds(clock, random);
  const bookkeeping = await createBookkeeping(config, base);
  const { ledger, slices } = bookkeeping;
  const balances = new Balances({ database, store, ledger, slices });
  const sessions = new Sessions({ store, database, clock, random, ids, limits: config.sessions });
  const callers = createCallers({ database, clock, sessions, balances }, config.limits);
  const { groups, budgets, authenticator } = callers;
  const offers = createOffers(config, base);
  const { channels, virtualModels, catalogue, prices } = offers;
  const mailDesk = createMailDesk(config, { base, database, ids, seal, secret, baseUrl });
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
    balances,
    groups,
    budgets,
    authenticator,
    organisations: new Organisations(database),
    keyUse: new KeyUse(store, database),
    limits: shared.limits,
    sessions,
    guesses: new Guesses(clock, shared.liveNodes),
    accountRules: config.accounts,
    secondFactors: new SecondFactors({ database, seal, log, clock, random }),
    signInRules: config.signIn,
    mail: mailDesk?.people ?? null,
    mailDesk,
    channels,
    virtualModels,
    prices,
    catalogue,
    affinity: new Affinity({ clock, isOn: config.distribution.affinity }),
    live: new LiveLog(followed(base)),
    captures: createCaptures(config, { clock, store, database, seal, log }),
    openCalls: new OpenCalls(),
    priceList: new PriceList(deadlines, () => clock.nowMs()),
    facetMemory: new Lru(rememberedChartsMax),
    books: createBooks(config),
    reload: createReload(config, base, { database, seal, callers, offers, ledger, balances }),
  };
}

/** Models that are served, by whom, and at what price. */
function createOffers(config: Config, { clock, shared }: Base) {
  const catalogue = new Catalogue();
  return {
    channels: new Channels(config.distribution, shared.liveNodes),
    virtualModels: new VirtualModels(),
    catalogue,
    prices: new Prices(config.unpriced, catalogue, clock),
  };
}

interface Reloaded extends Pick<Control, "database" | "seal" | "ledger" | "balances"> {
  callers: ReturnType<typeof createCallers>;
  offers: ReturnType<typeof createOffers>;
}

function createReload(config: Config, base: Base, reloaded: Reloaded): Reload {
  const { store, clock, log, machine, practice } = base;
  const { database, seal, callers, offers, ledger, balances } = reloaded;
  const { groups, budgets, authenticator } = callers;
  const { channels, virtualModels, catalogue, prices } = offers;
  return new Reload({
    clock,
    channelsReplaced: watchSpends({ channels, store, clock, log, timers: machine.timers }),
    assignBudgets: watchChannelBudgets({
      channels,
      budgets,
      balances,
      ledger,
      clock,
      log,
      timers: machine.timers,
    }),
    database,
    seal,
    channels,
    virtualModels,
    prices,
    catalogue,
    groups,
    budgets,
    authenticator,
    sandboxChannels: (audience) => practice.channels(audience),
    isSandboxKept: config.sandbox === "on",
  });
}

/** Everything by which a credential becomes a caller. */
export function createCallers(
  needs: Pick<Control, "database" | "clock" | "sessions" | "balances">,
  { budgetHeader: tellsRest }: Pick<Config["limits"], "budgetHeader"> = { budgetHeader: false },
) {
  const { database, clock, sessions, balances } = needs;
  const groups = new Groups();
  const budgets = new KnownBudgets({
    database,
    clock,
    caps: (all) => balances.caps(all),
    tellsRest,
  });
  const authenticator = new Authenticator({ database, groups, budgets, clock, sessions });
  return { groups, budgets, authenticator };
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
