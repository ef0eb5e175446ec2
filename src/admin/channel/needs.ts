// Needs of the verbs of channels.
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { PriceList } from "../../catalogue/lists/price-list.ts";
import type { Deadlines } from "../../core/deadline.ts";
import type { Send } from "../../core/outbound.ts";
import type { Seal } from "../../core/seal.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Prices } from "../../quota/prices.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { Reload } from "../reload.ts";

export interface ChannelNeeds extends NotingNeeds {
  seal: Seal;
  channels: Channels;
  send: Send;
  deadlines: Deadlines;
  reload: Reload;
  prices: Prices;
  catalogue: Catalogue;
  priceList: PriceList;
}
