// The models a key can call, in the three shapes its clients read.
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ModelKind } from "../catalogue/model.ts";
import { knownOutputTokensMax } from "../catalogue/output-limits.ts";
import type { Channel } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import type { ChainLink, VirtualModels } from "../distribution/virtual-models.ts";
import { imgFActions, imgFEndpoint } from "../families/img-f-job.ts";
import {
  findImageFamily,
  findVideoFamily,
  imgFModel,
  modelsBehind,
  vendorNamesOf,
} from "../families/index.ts";
import type { Caller } from "../identity/caller.ts";
import type { Prices } from "../quota/prices.ts";
import type { ShownPrice } from "../quota/shown-price.ts";
import { upstreams } from "../upstreams/index.ts";

export interface ListedModel {
  id: string;
  /** For people. */
  name: string;
  kind: ModelKind;
  /** The contract that requests for its pictures or videos keep to. */
  family: string | null;
  ownedBy: string;
  endpoints: readonly string[];
  inputTokensMax: number;
  outputTokensMax: number;
  /** The price for the reader; null where it is free for want of a price. */
  price: ShownPrice | null;
}

export interface ListNeeds {
  channels: Channels;
  virtualModels: VirtualModels;
  prices: Prices;
  catalogue: Catalogue;
}

/** The reader of the list: a key, or the account itself. */
type ModelReader = Pick<Caller, "group" | "models" | "multiplierPpm">;

/** Exactly what a request would be served: by the group's channels, the key's list and a price. */
export function listModels(needs: ListNeeds, caller: ModelReader): ListedModel[] {
  const named = needs.channels.models(caller.group);
  const virtual = listVirtual(needs, caller);
  const names = new Set(virtual.map(({ id }) => id));
  const plain = [...new Set([...named, ...vendorNamesOf(named)])]
    .filter((id) => !names.has(id) && isAllowed(caller, id) && isServed(needs, caller.group, id))
    .map((id) => ({
      ...toListed(id, needs),
      price: needs.prices.shown(namesBehind(id), caller.multiplierPpm),
    }));
  return [...plain, ...virtual].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** With the least that every member can do, since any of them may serve. */
function listVirtual(needs: ListNeeds, caller: ModelReader): ListedModel[] {
  const { virtualModels, prices, catalogue } = needs;
  return virtualModels.listed(caller.group).flatMap((virtual): ListedModel[] => {
    const { name, hasOwnPrice } = virtual;
    const links = virtualModels.chainOf(virtual, caller.group, () => 0);
    const isPaid = ({ pricedAs, model }: ChainLink) => isPriced(prices, pricedAs ?? model);
    const served = links.filter(
      (link) => isPaid(link) && makersOf(needs.channels, caller.group, link.model).length > 0,
    );
    if (served.length === 0 || !isAllowed(caller, name)) return [];
    const members = served.map((link) => ({ link, listed: toListed(link.model, needs) }));
    const windows = members.map(({ link, listed }) => link.windowTokens ?? listed.inputTokensMax);
    const priced = hasOwnPrice ? [name] : dearestFirst(prices, served);
    return [
      {
        id: name,
        name: catalogue.find(name)?.name ?? name,
        kind: "text",
        family: null,
        ownedBy: "virtual",
        endpoints: textEndpoints,
        inputTokensMax: leastOf(windows),
        outputTokensMax: leastOf(members.map(({ listed }) => listed.outputTokensMax)),
        price: prices.shown(priced, caller.multiplierPpm),
      },
    ];
  });
}

/** Shown at the dearest price that may be charged. */
function dearestFirst(prices: Prices, links: readonly ChainLink[]): string[] {
  const one = 1_000_000;
  const costOf = ({ pricedAs, model }: ChainLink) => {
    const { input, output, callMicros } = prices.snapshot(pricedAs ?? model, one);
    return input + output + callMicros;
  };
  const [dearest] = links.toSorted((a, b) => costOf(b) - costOf(a));
  return dearest ? [dearest.pricedAs ?? dearest.model] : [];
}

/** The least of the counts that are known; 0 where none is. */
function leastOf(counts: readonly number[]): number {
  const known = counts.filter((count) => count > 0);
  return known.length === 0 ? 0 : Math.min(...known);
}

/** True by any name that a request would be let through by. */
function isAllowed({ models }: ModelReader, id: string): boolean {
  return models === null || namesBehind(id).some((name) => models.has(name));
}

function isServed({ channels, prices }: ListNeeds, group: string, id: string): boolean {
  return isPriced(prices, id) && makersOf(channels, group, id).length > 0;
}

/** A channel that may serve a listed name, and the model that it would be asked for. */
export interface Server {
  channel: Channel;
  model: string;
}

/** The channels behind a name, each once; behind a virtual model those of its members in turn. */
export function serversOf(
  { channels, virtualModels }: Pick<ListNeeds, "channels" | "virtualModels">,
  group: string,
  id: string,
): Server[] {
  const virtual = virtualModels.find(id, group);
  const models = virtual
    ? virtualModels.chainOf(virtual, group, () => 0).map(({ model }) => model)
    : [id];
  const servers = new Map<Channel, Server>();
  for (const model of models) {
    for (const channel of makersOf(channels, group, model)) {
      if (!servers.has(channel)) servers.set(channel, { channel, model });
    }
  }
  return [...servers.values()];
}

/** The channels of the group that can do what the model does, best first. */
export function makersOf(channels: Channels, group: string, id: string): Channel[] {
  const serving = new Set(namesBehind(id).flatMap((name) => channels.candidates(name, group)));
  return [...serving]
    .filter(({ settings }) => canMake(settings.type, id))
    .toSorted((one, other) => other.settings.priority - one.settings.priority);
}

function canMake(type: string, id: string): boolean {
  const upstream = upstreams[type];
  if (imgFModels.has(id)) return upstream?.imgF !== undefined;
  if (findImageFamily(id)) return upstream?.image !== undefined;
  return !findVideoFamily(id) || upstream?.video !== undefined;
}

/** Whether what the model makes can be charged for. */
export function isPriced(prices: Prices, id: string): boolean {
  const names = namesBehind(id);
  if (imgFModels.has(id) || findImageFamily(id)) return prices.isImagePriced(names);
  return findVideoFamily(id) ? prices.isVideoPriced(names) : prices.isTextPriced(id);
}

function namesBehind(id: string): readonly string[] {
  return [id, ...modelsBehind(id)];
}

/** They are asked for by routes of their own, and not by name. */
const imgFModels: ReadonlySet<string> = new Set(imgFActions.map(imgFModel));

const textEndpoints = ["chat", "completions", "responses", "messages", "content"];

/** The kind of thing it makes, as far as that is known; text where nobody knows it. */
export function kindOfModel(id: string, catalogue: Catalogue): ModelKind {
  return catalogue.find(id)?.kind ?? kindOf(id);
}

function toListed(id: string, { catalogue, prices }: ListNeeds): Omit<ListedModel, "price"> {
  const known = catalogue.find(id);
  const kind = kindOfModel(id, catalogue);
  return {
    id,
    name: known?.name ?? id,
    kind,
    family: (findVideoFamily(id) ?? findImageFamily(id))?.name ?? null,
    ownedBy: known?.ownedBy ?? "upstream",
    endpoints:
      kind === "text" ? textEndpoints : [imgFModels.has(id) ? imgFEndpoint : endpointOf(kind)],
    inputTokensMax: known?.inputTokensMax ?? 0,
    outputTokensMax: prices.outputTokensMax(id) ?? knownOutputTokensMax(id) ?? 0,
  };
}

function kindOf(id: string): ModelKind {
  if (findVideoFamily(id)) return "video";
  return findImageFamily(id) ? "image" : "text";
}

function endpointOf(kind: ModelKind): string {
  return kind === "embedding" ? "embeddings" : kind;
}

/** The catalogue does not know when a vendor released a model; clients only need a number. */
const createdSeconds = 1_767_225_600;

export function renderOpenai(model: ListedModel): object {
  return {
    id: model.id,
    object: "model",
    created: createdSeconds,
    owned_by: model.ownedBy,
    supported_endpoint_types: model.endpoints,
    ...(model.inputTokensMax > 0 && { context_length: model.inputTokensMax }),
    ...(model.outputTokensMax > 0 && { max_output_tokens: model.outputTokensMax }),
    pricing: model.price,
  };
}

export function renderAnthropic(model: ListedModel): object {
  const created_at = new Date(createdSeconds * 1000).toISOString();
  return {
    type: "model",
    id: model.id,
    display_name: model.name,
    created_at,
    ...(model.inputTokensMax > 0 && { max_input_tokens: model.inputTokensMax }),
    ...(model.outputTokensMax > 0 && { max_tokens: model.outputTokensMax }),
  };
}

const googleMethods = ["generateContent", "streamGenerateContent", "countTokens"];

const embeddingMethods = ["embedContent", "batchEmbedContents"];

function methodsOf({ endpoints }: ListedModel): string[] {
  if (endpoints.includes("content")) return googleMethods;
  return endpoints.includes("embeddings") ? embeddingMethods : [];
}

/** In full, as clients of Vertex AI put it into an address again. */
export function renderVertex(model: ListedModel): object {
  return {
    name: `publishers/google/models/${model.id}`,
    displayName: model.name,
    inputTokenLimit: model.inputTokensMax,
    outputTokenLimit: model.outputTokensMax,
  };
}

export function renderGoogle(model: ListedModel): object {
  return {
    name: `models/${model.id}`,
    displayName: model.name,
    supportedGenerationMethods: methodsOf(model),
    inputTokenLimit: model.inputTokensMax,
    outputTokenLimit: model.outputTokensMax,
  };
}
