// What the control plane works with, and how a change of it reaches the requests.
import type { AdminSecondFactor, Registration } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Deadlines } from "../core/deadline.ts";
import type { Ids } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { Send } from "../core/outbound.ts";
import type { Random } from "../core/random.ts";
import type { Seal } from "../core/seal.ts";
import type { ChannelSettings } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import { readChannels, readSettings } from "../distribution/queries.ts";
import type { Guesses } from "../identity/access/guesses.ts";
import type { Sessions } from "../identity/access/sessions.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { SecondFactors } from "../identity/factors/second-factors.ts";
import type { Groups } from "../identity/groups.ts";
import type { Balances } from "../quota/balances.ts";
import type { Ledger } from "../quota/ledger.ts";
import { toListedPrice } from "../quota/price-rows.ts";
import type { Prices } from "../quota/prices.ts";
import { readPrices } from "../quota/queries.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { WebhookSecrets } from "../tasks/webhooks/secrets.ts";

export interface ControlParts {
  store: Store;
  database: Database;
  seal: Seal;
  webhookSecrets: WebhookSecrets;
  ids: Ids;
  clock: Clock;
  random: Random;
  log: Log;
  send: Send;
  deadlines: Deadlines;
  ledger: Ledger;
  balances: Balances;
  groups: Groups;
  authenticator: Authenticator;
  sessions: Sessions;
  guesses: Guesses;
  registration: Registration;
  secondFactors: SecondFactors;
  adminSecondFactor: AdminSecondFactor;
  channels: Channels;
  prices: Prices;
  /** Stand in while no channel is configured. */
  sandboxChannels(): Promise<readonly ChannelSettings[]>;
  /** They stay beside channels that are configured. */
  isSandboxKept: boolean;
}

export async function reloadChannels(parts: ControlParts): Promise<void> {
  const { channels, database, seal, isSandboxKept } = parts;
  const settings = await readSettings(database, seal);
  const isConfigured = settings.length > 0 || (await readChannels(database)).length > 0;
  const isSandboxed = isSandboxKept || !isConfigured;
  channels.replace(isSandboxed ? [...settings, ...(await parts.sandboxChannels())] : settings);
}

export async function reloadPrices({ prices, database }: ControlParts): Promise<void> {
  const rows = await readPrices(database);
  prices.replace(new Map(rows.map((row) => [row.model, toListedPrice(JSON.parse(row.document))])));
}

/** Groups decide multipliers and limits of callers, who are therefore read anew. */
export async function reloadGroups(parts: ControlParts): Promise<void> {
  await parts.groups.reload(parts.database);
  parts.authenticator.forget();
}
