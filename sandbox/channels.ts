// The channels that lead to the built-in vendors while an operator has configured none: each model
// of the catalogue is served by a vendor of its maker's own wire.
import type { CatalogueModel } from "../src/catalogue/model.ts";
import { catalogueModels, sandboxPrefix } from "../src/catalogue/models.ts";
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

/** The same for root alone: text, by names that no other channel has. */
export function rootSandboxChannels(url: string): ChannelSettings[] {
  return sandboxChannels(url).map((settings) => {
    const text = settings.models.filter((id) => isText(catalogueModels.get(id)));
    const named = text.map((id) => [sandboxPrefix + id, settings.modelMapping[id] ?? id] as const);
    const modelMapping = Object.fromEntries(named);
    const models = Object.keys(modelMapping);
    return { ...settings, models, modelMapping, groups: [], isForRoot: true };
  });
}

function isText(model: CatalogueModel | undefined): boolean {
  return model?.kind === "text" || model?.kind === "embedding";
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
    hiddenPromptTokens: 0,
    cost: {},
    allowRouting: false,
    affinity: true,
    concurrency: null,
    timeouts: { firstByteMs: null, stallMs: null, totalMs: null },
    transport: plainTransport,
    keys: [{ position: 0, text: "sk-sandbox", isEnabled: true }],
    allowPrivate: true,
    keepsKeys: true,
  };
}
