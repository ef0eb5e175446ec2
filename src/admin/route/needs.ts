// Needs of a dry run of the choice.
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Clock } from "../../core/clock.ts";
import type { Affinity } from "../../distribution/affinity.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { VirtualModels } from "../../distribution/virtual-models.ts";
import type { Groups } from "../../identity/groups.ts";
import type { Prices } from "../../quota/prices.ts";
import type { Database } from "../../store/database.ts";

export interface RouteNeeds {
  database: Database;
  clock: Clock;
  channels: Channels;
  virtualModels: VirtualModels;
  affinity: Affinity;
  groups: Groups;
  prices: Prices;
  catalogue: Catalogue;
  /** Most channels that are tried for one request. */
  distribution: { readonly attemptsMax: number };
}
