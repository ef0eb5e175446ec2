// Brings what requests are decided by, which is in memory, up to what the database says. A change
// is answered only once that is done.
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Clock } from "../core/clock.ts";
import type { Seal } from "../core/seal.ts";
import type { ChannelSettings } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import {
  isReached,
  noteReached,
  readChannels,
  readSettings,
  readVirtualModels,
} from "../distribution/queries.ts";
import type { VirtualModels } from "../distribution/virtual-models.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { KnownBudgets } from "../identity/budgets/budgets.ts";
import type { Groups } from "../identity/groups.ts";
import { toListedPrice } from "../quota/price-rows.ts";
import type { Prices } from "../quota/prices.ts";
import { readListRows, readPrices } from "../quota/queries.ts";
import type { Database } from "../store/database.ts";
import { toInput } from "./virtual-model/row.ts";

/** The milestone after which the sandbox serves customers no more. */
const firstChannel = "first-channel";

interface ReloadNeeds {
  clock: Clock;
  database: Database;
  seal: Seal;
  channels: Channels;
  virtualModels: VirtualModels;
  prices: Prices;
  catalogue: Catalogue;
  groups: Groups;
  budgets: KnownBudgets;
  authenticator: Authenticator;
  /** For everyone until there is the first channel; from then on for root alone. */
  sandboxChannels(audience: "everyone" | "root"): readonly ChannelSettings[];
  /** Channels are as the database has them. */
  channelsReplaced?(): Promise<void>;
  /** Channels or budgets are as the database has them. */
  assignBudgets?(): Promise<void>;
  /** They are for everyone all the same, beside channels that are configured. */
  isSandboxKept: boolean;
}

export class Reload {
  readonly #needs: ReloadNeeds;
  #hasHadChannels = false;

  constructor(needs: ReloadNeeds) {
    this.#needs = needs;
  }

  async channels(): Promise<void> {
    const { channels, database, seal, isSandboxKept, sandboxChannels } = this.#needs;
    const settings = await readSettings(database, seal);
    const hasHadChannels = await this.#everHadChannels();
    const audience = isSandboxKept || !hasHadChannels ? "everyone" : "root";
    const all = [...settings, ...sandboxChannels(audience)];
    channels.replace(all, this.#needs.clock.nowMs());
    await this.#needs.channelsReplaced?.();
    await this.#needs.assignBudgets?.();
  }

  /**
   * An operator who has had a channel may have customers, and removing it must not sell them
   * practice.
   */
  async #everHadChannels(): Promise<boolean> {
    const { database } = this.#needs;
    if (this.#hasHadChannels) return true;
    const isNoted = await isReached(database, firstChannel);
    this.#hasHadChannels = isNoted || (await readChannels(database)).length > 0;
    if (this.#hasHadChannels && !isNoted) await noteReached(database, firstChannel);
    return this.#hasHadChannels;
  }

  async virtualModels(): Promise<void> {
    const { virtualModels, database } = this.#needs;
    virtualModels.replace((await readVirtualModels(database)).map(toInput));
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

  /** Callers know their budgets, and are therefore read anew. */
  async budgets(): Promise<void> {
    const { budgets, database, authenticator } = this.#needs;
    await budgets.reload(database);
    await this.#needs.assignBudgets?.();
    authenticator.forget();
  }

  /** Groups decide multipliers and limits of callers, who are therefore read anew. */
  async groups(): Promise<void> {
    const { groups, database, authenticator } = this.#needs;
    await groups.reload(database);
    authenticator.forget();
  }
}
