// The channels that lead to the built-in vendors while an operator has configured none: each model
// of the catalogue is served by a vendor of its maker's own wire.
import { catalogueModels } from "../src/catalogue/models.ts";
import type { ChannelId } from "../src/core/ids.ts";
import { plainTransport } from "../src/core/outbound.ts";
import type { ChannelSettings } from "../src/distribution/channel.ts";
import { anthropicOffers } from "./anthropic/offers.ts";
import { arkOffers } from "./ark/offers.ts";
import { gatewayOffers } from "./gateway/offers.ts";
import { googleOffers } from "./google/offers.ts";
import { klingOffers } from "./kling/offers.ts";
import { midjourneyOffers } from "./midjourney/offers.ts";
import { minimaxOffers } from "./minimax/offers.ts";
import type { Offer } from "./offer.ts";
import { openaiOffers } from "./openai/offers.ts";

const offers: readonly Offer[] = [
  ...openaiOffers,
  ...anthropicOffers,
  ...googleOffers,
  ...arkOffers,
  ...minimaxOffers,
  ...klingOffers,
  ...midjourneyOffers,
  ...gatewayOffers,
];

export function sandboxChannels(url: string): ChannelSettings[] {
  return offers.map((offer) => toSettings(offer, url));
}

function toSettings(offer: Offer, url: string): ChannelSettings {
  const { name, type, dialect = null, priority = 0, serves, names } = offer;
  const models = [...catalogueModels.values()].filter(serves).map(({ id }) => id);
  return {
    id: `chn_${name}` as ChannelId,
    name,
    type,
    format: dialect,
    baseUrl: `${url}/${type}`,
    models,
    groups: ["default"],
    priority,
    weight: 1,
    modelMapping: { ...names },
    parametersSet: {},
    parametersRemoved: [],
    headers: {},
    dropStore: false,
    surcharges: {},
    allowObjects: false,
    concurrency: null,
    timeouts: { firstByteMs: null, stallMs: null, totalMs: null },
    transport: plainTransport,
    keys: [{ position: 0, text: "sk-sandbox", isEnabled: true, restsUntilMs: 0 }],
    allowPrivate: true,
    keepsKeys: true,
  };
}
