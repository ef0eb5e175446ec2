// Brings what requests are decided by, which is in memory, up to what the database says. A change
// is answered only once that is done.
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Seal } from "../core/seal.ts";
import type { ChannelSettings } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import { readChannels, readSettings } from "../distribution/queries.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { Groups } from "../identity/groups.ts";
import { toListedPrice } from "../quota/price-rows.ts";
import type { Prices } from "../quota/prices.ts";
import { readListRows, readPrices } from "../quota/queries.ts";
import type { Database } from "../store/database.ts";

interface ReloadNeeds {
  database: Database;
  seal: Seal;
  channels: Channels;
  prices: Prices;
  catalogue: Catalogue;
  groups: Groups;
  authenticator: Authenticator;
  /** Stand in while no channel is configured. */
  sandboxChannels(): Promise<readonly ChannelSettings[]>;
  /** They stay beside channels that are configured. */
  isSandboxKept: boolean;
}

export class Reload {
  readonly #needs: ReloadNeeds;

  constructor(needs: ReloadNeeds) {
    this.#needs = needs;
  }

  async channels(): Promise<void> {
    const { channels, database, seal, isSandboxKept, sandboxChannels } = this.#needs;
    const settings = await readSettings(database, seal);
    const isConfigured = settings.length > 0 || (await readChannels(database)).length > 0;
    const isSandboxed = isSandboxKept || !isConfigured;
    channels.replace(isSandboxed ? [...settings, ...(await sandboxChannels())] : settings);
  }

  async prices(): Promise<void> {
    const { catalogue, database, prices } = this.#needs;
    catalogue.replace(await readListRows(database));
    const rows = await readPrices(database);
    const listed = rows.map(
      ({ model, document }) => [model, toListedPrice(JSON.parse(document))] as const,
    );
    prices.replace(new Map(listed));
  }

  /** Groups decide multipliers and limits of callers, who are therefore read anew. */
  async groups(): Promise<void> {
    const { groups, database, authenticator } = this.#needs;
    await groups.reload(database);
    authenticator.forget();
  }
}
