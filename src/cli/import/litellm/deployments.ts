// Deployments of LiteLLM as channels and prices.
import type { PriceInput } from "../../../config/entities.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { judgeUrl } from "../../../core/url-guard.ts";
import { digest } from "../../../identity/secrets.ts";
import type { SnapshotChannel, Remark } from "../snapshot.ts";
import { PriceRounding } from "../money.ts";
import { cloudDeployment, type CloudDeployment } from "./clouds.ts";
import { vendorKinds, type ChannelKind } from "../vendor-kinds.ts";

export interface Deployment {
  ref: string;
  /** The public name. */
  model: string;
  params: JsonObject;
  /** Variables that it names and that are not set here. */
  missing: string[];
  info: JsonObject;
}

/** Vendors by the part before the slash of a model's name. */
const vendors: Readonly<Record<string, ChannelKind>> = {
  openai: vendorKinds.openai,
  deepseek: vendorKinds.deepseek,
  groq: vendorKinds.groq,
  mistral: vendorKinds.mistral,
  openrouter: vendorKinds.openrouter,
  xai: vendorKinds.xai,
  together_ai: vendorKinds.together,
  hosted_vllm: vendorKinds.compatible,
  ollama_chat: vendorKinds.ollama,
  anthropic: vendorKinds.anthropic,
  gemini: vendorKinds.google,
  azure: vendorKinds.azure,
  bedrock: vendorKinds.bedrock,
  vertex_ai: vendorKinds.vertex,
  litellm_proxy: vendorKinds.gateway,
};

const weightMax = 1000;

interface Read {
  channels: SnapshotChannel[];
  prices: PriceInput[];
  unpriced: string[];
  remarks: Remark[];
}

export function toChannels(
  deployments: readonly Deployment[],
  aliases: ReadonlyMap<string, string>,
  allowPrivate: boolean,
): Read {
  const read: Read = { channels: [], prices: [], unpriced: [], remarks: [] };
  const byPlace = new Map<string, SnapshotChannel>();
  for (const deployment of deployments) {
    const { model } = deployment;
    const names = [model, ...[...aliases].filter(([, to]) => to === model).map(([name]) => name)];
    const channel = toChannel(deployment, names, { allowPrivate, remarks: read.remarks });
    if (!channel) continue;
    addChannel(read.channels, byPlace, channel);
    const rounding = new PriceRounding();
    const price = priceOf(deployment, rounding);
    if (rounding.why !== null) read.remarks.push({ about: `model ${model}`, why: rounding.why });
    if (price === null) read.unpriced.push(...names);
    else {
      const isNew = (name: string) => !read.prices.some((known) => known.model === name);
      read.prices.push(...names.filter(isNew).map((name) => ({ ...price, model: name })));
    }
  }
  return read;
}

/** Several of one vendor, address and key are one channel, unless a name would mean two things. */
function addChannel(
  channels: SnapshotChannel[],
  byPlace: Map<string, SnapshotChannel>,
  channel: SnapshotChannel,
): void {
  const { models: _models, model_mapping: _mapping, ...rest } = channel.settings;
  const place = JSON.stringify(rest);
  const before = byPlace.get(place);
  const isTaken = before?.settings.models.some((name) => channel.settings.models.includes(name));
  if (!before || isTaken === true) {
    channels.push(channel);
    byPlace.set(place, channel);
    return;
  }
  before.settings.models.push(...channel.settings.models);
  before.settings.model_mapping = {
    ...before.settings.model_mapping,
    ...channel.settings.model_mapping,
  };
}

function toChannel(
  deployment: Deployment,
  names: readonly string[],
  { allowPrivate, remarks }: { allowPrivate: boolean; remarks: Remark[] },
): SnapshotChannel | null {
  const { model, params, missing } = deployment;
  const about = `model ${model}`;
  const upstream = String(params["model"] ?? "");
  const slash = upstream.indexOf("/");
  const vendor = slash === -1 ? "openai" : upstream.slice(0, slash);
  const kind = vendors[vendor];
  const named = slash === -1 ? upstream : upstream.slice(slash + 1);
  const cloud = cloudDeployment(vendor, named, params);
  const ownBase = cloud?.base ?? params["api_base"] ?? kind?.base ?? "";
  const base = String(ownBase).replace(/\/+$/, "");
  const isElsewhere = params["api_base"] === null && missing.length > 0;
  const fault = faultOf({
    model,
    upstream,
    vendor,
    isKnown: kind !== undefined,
    base,
    isElsewhere,
  });
  if (!kind || fault !== null) {
    remarks.push({ about, why: fault ?? "has no equal" });
    return null;
  }
  const isPrivate = judgeUrl(base) === "private";
  if (isPrivate && !allowPrivate) {
    remarks.push({
      about,
      why: "is at a private address: it comes where those are allowed (--allow-private)",
    });
  }
  const why = lackOf(deployment, cloud);
  if (why !== null) remarks.push({ about, why: `${why}, so it is off` });
  const key = cloud?.key || String(params["api_key"] ?? "") || "none";
  const target = cloud?.target ?? named;
  const mapped = names.filter((name) => name !== target).map((name) => [name, target]);
  const weight = Number(params["weight"] ?? params["rpm"] ?? params["tpm"] ?? 1);
  return {
    ref: digest(JSON.stringify([vendor, base, key, model, target])).slice(0, 32),
    name: `${vendor} ${model}`,
    groups: ["default"],
    settings: {
      type: kind.type,
      ...cloud?.settings,
      base_url: base,
      keys: [key],
      models: [...names],
      priority: -Number(params["order"] ?? 0) || 0,
      weight: Math.max(1, Math.min(weightMax, Math.round(weight) || 1)),
      model_mapping: Object.fromEntries(mapped),
      headers: headersOf(params),
      allow_private: isPrivate && allowPrivate,
      status: why === null ? "enabled" : "disabled",
    },
    disabledKeys: [],
  };
}

interface Suspect {
  model: string;
  upstream: string;
  vendor: string;
  isKnown: boolean;
  base: string;
  /** Its address is in a variable that is not set: the vendor's own is not meant. */
  isElsewhere: boolean;
}

/** Null where it has all it needs; a vendor at an address of one's own may want no key. */
function lackOf({ params, missing }: Deployment, cloud: CloudDeployment | null): string | null {
  if (missing.length > 0) {
    const names = [...new Set(missing)].join(", ");
    return `needs ${names} of the environment, which was not given`;
  }
  if (cloud) return cloud.key === "" ? "has no key in the file" : null;
  const hasKey = params["api_key"] !== undefined && params["api_key"] !== null;
  return hasKey || params["api_base"] ? null : "has no key in the file";
}

function faultOf({ model, upstream, vendor, isKnown, base, isElsewhere }: Suspect): string | null {
  if (model === "" || upstream === "") return "has no name or leads to none";
  if (model.includes("*") || upstream.includes("*")) return "is a wildcard; here models are listed";
  if (!isKnown) return `goes to ${vendor}, which has no equal`;
  if (isElsewhere) return "has its address in a variable that is not set here";
  return URL.parse(base) === null ? "has no address that could be called" : null;
}

function headersOf(params: JsonObject): Record<string, string> {
  const extraHeaders = isObject(params["extra_headers"]) ? params["extra_headers"] : {};
  const headers = Object.entries(extraHeaders).flatMap(([name, value]) =>
    typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
  );
  const organization = params["organization"];
  return {
    ...Object.fromEntries(headers),
    ...(typeof organization === "string" && { "openai-organization": organization }),
  };
}

/** Dollars for a token become micros for a million of them. */
function priceOf({ model, params, info }: Deployment, rounding: PriceRounding): PriceInput | null {
  const cost = (name: string) => {
    const value: Json | undefined = params[name] ?? info[name];
    return typeof value === "number" ? value : undefined;
  };
  const [input, output] = [cost("input_cost_per_token"), cost("output_cost_per_token")];
  const [image, second] = [cost("output_cost_per_image"), cost("output_cost_per_second")];
  const [read, write] = [
    cost("cache_read_input_token_cost"),
    cost("cache_creation_input_token_cost"),
  ];
  if (input === undefined && output === undefined && image === undefined && second === undefined) {
    return null;
  }
  const million = (what: string, value: number) =>
    rounding.round(`a million of ${what}`, [value, 1_000_000_000_000]);
  const one = (what: string, value: number) => rounding.round(what, [value, 1_000_000]);
  return {
    model,
    ...(input !== undefined && { input_micros_per_million: million("input", input) }),
    ...(output !== undefined && { output_micros_per_million: million("output", output) }),
    ...(read !== undefined && { cache_read_micros_per_million: million("cached input", read) }),
    ...(write !== undefined && { cache_write_micros_per_million: million("written input", write) }),
    ...(image !== undefined && { image_micros: one("an image", image) }),
    ...(second !== undefined && { second_micros: one("a second", second) }),
  };
}
