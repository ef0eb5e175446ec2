// The channels that lead to the built-in vendors while an operator has configured none: each model
// of the catalogue is served by a vendor of its maker's own wire.
import type { CatalogueModel } from "../src/catalogue/model.ts";
import { catalogueModels } from "../src/catalogue/models.ts";
import type { ChannelId } from "../src/core/ids.ts";
import { plainTransport } from "../src/core/outbound.ts";
import type { Dialect } from "../src/formats/exchange.ts";
import type { ChannelSettings } from "../src/distribution/channel.ts";

interface Wire {
  name: string;
  type: string;
  dialect: Dialect | null;
  /** The others come first when it is below zero. */
  priority?: number;
  /** A reseller has our names, a maker its own. */
  hasOurNames?: boolean;
  serves(model: CatalogueModel): boolean;
}

const wires: readonly Wire[] = [
  { name: "sandbox", type: "openai", dialect: null, serves: (model) => isOpenai(model) },
  {
    name: "sandbox-responses",
    type: "openai",
    dialect: "responses",
    serves: (model) => isOpenai(model) && model.kind === "text",
  },
  text("anthropic", ["vendorB", "anthropic"]),
  {
    name: "sandbox-google",
    type: "google",
    dialect: null,
    serves: (model) =>
      (model.kind === "text" && isOf(model, ["vendorC", "google"])) ||
      (model.kind === "image" && isOf(model, ["vendorC"])) ||
      (model.kind === "video" && model.id.startsWith("videoA")),
  },
  {
    name: "sandbox-ark",
    type: "ark",
    dialect: null,
    serves: (model) =>
      (model.kind === "image" && isOf(model, ["vendorG"])) ||
      (model.kind === "video" && (isOf(model, ["vendorG"]) || model.id.startsWith("omni"))),
  },
  video("minimax", "vendorD"),
  video("kling", "vendorE"),
  {
    name: "sandbox-midjourney",
    type: "midjourney",
    dialect: null,
    serves: (model) => isOf(model, ["vendorF"]),
  },
  // For what a family allows and its maker's wire cannot say.
  {
    name: "sandbox-gateway",
    type: "gateway",
    dialect: null,
    priority: -1,
    hasOurNames: true,
    serves: (model) => model.kind === "video" || isPicture(model),
  },
];

/** The makers' names of models that they tell from one another by name. */
const makerNames: Readonly<Record<string, string>> = {
  // The first of its kind was shut down.
  "imageA-1": "gpt-image-1.5",
  "imageA-2": "gpt-image-2",
  "imageA-2-pro": "gpt-image-2-pro",
  "imageA-2-vip": "gpt-image-2-vip",
  "imageA-2.5-flare": "gpt-image-2.5-flare",
  "imageA-2.5-sunburst": "gpt-image-2.5-sunburst",
  "imageG-4-0-250828": "doubao-seedream-4-0-250828",
  "imageH-3-pro-image-preview": "gemini-3-pro-image",
  "imageH-3.1-flash-lite-image": "gemini-3.1-flash-lite-image",
};

function text(type: string, owners: readonly string[]): Wire {
  const serves = (model: CatalogueModel) => model.kind === "text" && isOf(model, owners);
  return { name: `sandbox-${type}`, type, dialect: null, serves };
}

function video(type: string, owner: string): Wire {
  const serves = (model: CatalogueModel) => model.kind === "video" && isOf(model, [owner]);
  return { name: `sandbox-${type}`, type, dialect: null, serves };
}

/** Text of makers without a wire of their own is spoken on this one. */
function isOpenai(model: CatalogueModel): boolean {
  if (model.kind === "text") return !isOf(model, ["vendorB", "anthropic", "vendorC", "google"]);
  return model.kind === "embedding" || (isMedia(model) && isOf(model, ["vendorA"]));
}

function isMedia({ kind }: CatalogueModel): boolean {
  return kind === "video" || kind === "image";
}

/** The models of imgF are asked for by routes of their own. */
function isPicture(model: CatalogueModel): boolean {
  return model.kind === "image" && !isOf(model, ["vendorF"]);
}

function isOf({ ownedBy }: CatalogueModel, owners: readonly string[]): boolean {
  return owners.includes(ownedBy);
}

function namesOf(models: readonly CatalogueModel[]): Record<string, string> {
  return Object.fromEntries(
    models.flatMap(({ id }) => (makerNames[id] === undefined ? [] : [[id, makerNames[id]]])),
  );
}

export function sandboxChannels(url: string): ChannelSettings[] {
  return wires.map((wire) => toSettings(wire, url));
}

function toSettings(wire: Wire, url: string): ChannelSettings {
  const models = [...catalogueModels.values()].filter((model) => wire.serves(model));
  return {
    id: `chn_${wire.name}` as ChannelId,
    name: wire.name,
    type: wire.type,
    format: wire.dialect,
    baseUrl: `${url}/${wire.type}`,
    models: models.map(({ id }) => id),
    groups: ["default"],
    priority: wire.priority ?? 0,
    weight: 1,
    modelMapping: wire.hasOurNames ? {} : namesOf(models),
    parametersSet: {},
    parametersRemoved: [],
    headers: {},
    dropStore: false,
    concurrency: null,
    transport: plainTransport,
    keys: [{ position: 0, text: "sk-sandbox", isEnabled: true, restsUntilMs: 0 }],
    allowPrivate: true,
    keepsKeys: true,
  };
}
