// Needs of the verbs of virtual models.
import type { Channels } from "../../distribution/channels.ts";
import type { Prices } from "../../quota/prices.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { Reload } from "../reload.ts";

export interface VirtualModelNeeds extends NotingNeeds {
  channels: Channels;
  prices: Prices;
  reload: Reload;
}
