// The channels that lead to the built-in vendors while an operator has configured none: each model
// of the catalogue is served by a vendor of its maker's own wire.
import { catalogueModels } from "../catalogue/models.ts";
import type { ChannelId } from "../core/ids.ts";
import type { Dialect } from "../formats/exchange.ts";
import type { ChannelSettings } from "./channel.ts";

interface Wire {
  name: string;
  type: string;
  dialect: Dialect | null;
}

const openai: readonly Wire[] = [
  { name: "sandbox", type: "openai", dialect: null },
  { name: "sandbox-responses", type: "openai", dialect: "responses" },
];
const anthropic: readonly Wire[] = [
  { name: "sandbox-anthropic", type: "anthropic", dialect: null },
];
const google: readonly Wire[] = [{ name: "sandbox-google", type: "google", dialect: null }];

const wiresByOwner: ReadonlyMap<string, readonly Wire[]> = new Map([
  ["vendorB", anthropic],
  ["anthropic", anthropic],
  ["vendorC", google],
  ["google", google],
]);

export function sandboxChannels(url: string): ChannelSettings[] {
  return [...openai, ...anthropic, ...google].map((wire) => toSettings(wire, url));
}

function toSettings(wire: Wire, url: string): ChannelSettings {
  const models = [...catalogueModels.values()]
    .filter(({ kind }) => kind === "text" || kind === "embedding")
    .filter(({ ownedBy }) => (wiresByOwner.get(ownedBy) ?? openai).includes(wire));
  return {
    id: `chn_${wire.name}` as ChannelId,
    name: wire.name,
    type: wire.type,
    format: wire.dialect,
    baseUrl: `${url}/${wire.type}`,
    models: models.map(({ id }) => id),
    groups: ["default"],
    priority: 0,
    weight: 1,
    modelMapping: {},
    parametersSet: {},
    parametersRemoved: [],
    headers: {},
    dropStore: false,
    concurrency: null,
    keys: [{ position: 0, text: "sk-sandbox", isEnabled: true, restsUntilMs: 0 }],
    keepsKeys: true,
  };
}
