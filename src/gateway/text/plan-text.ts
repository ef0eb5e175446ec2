// A text request as it is put to one channel: as it came where the upstream speaks the client's
// format, converted where it speaks another.
import { knownOutputTokensMax } from "../../catalogue/output-limits.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ConversationPin } from "../../distribution/affinity.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Exchange, FieldNames } from "../../formats/exchange.ts";
import type {
  Format,
  LeftOut,
  Observed,
  RequestTarget,
  TextRequest,
} from "../../formats/format.ts";
import { formats } from "../../formats/index.ts";
import { toNormalForm } from "../../formats/kit/normal-form.ts";
import { withoutRouting } from "../../formats/kit/routing-fields.ts";
import { aliasNames } from "../../formats/kit/tool-names.ts";
import type { Usage } from "../../formats/usage.ts";
import type { RequestBound } from "../../quota/estimate.ts";
import { noSurcharges, type Surcharge } from "../../formats/surcharge.ts";
import type { PricedSurcharge } from "../../quota/surcharge-price.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Address, TextAsk, TextFacet, Upstream } from "../../upstreams/upstream.ts";
import { addCacheKey, takesCacheKey } from "./affinity/cache-key.ts";
import { Conversion } from "./conversion.ts";
import type { Scope } from "../scope.ts";
import type { Disconnect } from "../stream/read-on.ts";
import { allowSurcharges, carriedSurcharges } from "./surcharges.ts";
import { textAddress } from "./text-address.ts";
import type { TurnState } from "./session/turn-state.ts";
import type { TextCapture } from "./capture.ts";
import { wireOf, wiresOf } from "./wires.ts";

export interface TextTry {
  format: Format;
  request: TextRequest;
  body: JsonObject;
  scope: Scope;
  createdAtSeconds: number;
  action: "generate" | "compact";
  /** The client's headers that belong to its format's wire. */
  wireHeaders: Readonly<Record<string, string>>;
  /** Headers of an agent's session, which go on where nothing is converted. */
  session?: Readonly<Record<string, string>> | undefined;
  /** Null where it is of no turn that has begun. */
  turn?: TurnState | null;
  /** The output of one answer that was paid for in advance. */
  outputTokensMax: number;
  /** The most that all answers together can use. */
  bound: RequestBound;
  disconnect: Disconnect;
  /** Null where nobody wants to see it. */
  content: TextCapture | null;
  /** Surcharges it asks for beyond its tokens, as far as they have a price. */
  priced: readonly PricedSurcharge[];
  /** The request in the neutral shape, made when the first channel needs it. */
  exchange: Exchange | null;
  /** Name that the reply is to carry; null for that of the model that serves. */
  shownModel: string | null;
  /** Another model is asked where a filter stops this one. */
  goesOnRefused?: true;
  /** Null where it stands alone. */
  conversation: ConversationPin | null;
  /** Told of an answer that is thrown away; null where nothing is paid for. */
  wasted: ((observed: Observed) => void) | null;
}

export interface TextPlan {
  upstream: Upstream;
  facet: TextFacet;
  ask: TextAsk;
  address: Address;
  body: JsonObject;
  /** The format that the upstream is spoken to in. */
  format: Format;
  conversion: Conversion | null;
  /**
   * Embeddings of another format in the client's, with the usage that is charged where that is not
   * what the vendor told; null when it is not a reply of that.
   */
  embedded: ((body: unknown, usage?: Usage) => JsonObject | null) | null;
  /** Fields of the client that were left out on the way. */
  ignored: readonly string[];
  /** The client's own names of fields; null where they are those of the wire. */
  names: FieldNames | null;
  /** Surcharges that were sent on. */
  sent: readonly Surcharge[];
  /** Bounds that were put in, in the client's own words, each with its value. */
  added: readonly string[];
}

/** The request in the neutral shape, in the form that encoders rely on. */
export function toExchange(format: Format, body: JsonObject, request: TextRequest): Exchange {
  if (!format.client) throw new GatewayError("model_not_found");
  return toNormalForm(format.client.decodeRequest(body, request));
}

/** Throws the 400 that names a field which this upstream's dialect cannot express. */
export function planText(textTry: TextTry, choice: Choice): TextPlan {
  const { settings } = choice.channel;
  const model = choice.channel.upstreamModel(textTry.request.model);
  const { stream } = textTry.request;
  const target: RequestTarget = { model, stream, outputTokensMax: textTry.outputTokensMax };
  const detour = detourOf(textTry, target, settings);
  if (!detour && passes(textTry, settings, model)) {
    const { spoken, wireHeaders } = passOn(textTry, settings, target);
    const ask: TextAsk = {
      format: textTry.format.name,
      action: textTry.action,
      model,
      stream,
      wireHeaders,
    };
    const plan = address(textTry, spoken, ask, choice);
    if (plan) return plan;
  }
  const isEmbedding = textTry.format.embedding !== undefined;
  const spoken =
    detour ??
    (isEmbedding
      ? convertEmbedding(textTry, target, settings)
      : convert(textTry, target, { settings }));
  const ask: TextAsk = {
    format: spoken.format.name,
    action: "generate",
    model,
    stream,
    wireHeaders: {},
  };
  const plan = address(textTry, spoken, ask, choice);
  if (!plan) throw new GatewayError("model_not_found");
  return plan;
}

/** Whether request and reply go as they are. */
function passes({ format }: TextTry, settings: ChannelSettings, model: string): boolean {
  if (!wireOf(settings, format)?.isNative) return false;
  return upstreams[settings.type]?.text?.isRephrased?.(format.name, model) !== true;
}

/** Null when the upstream has no place for what is asked. */
function address(
  { scope, format: client, request, outputTokensMax, bound }: TextTry,
  { body, format, conversion, embedded, ignored, names, sent, added }: Spoken,
  ask: TextAsk,
  choice: Choice,
): TextPlan | null {
  const { settings } = choice.channel;
  const upstream = upstreams[settings.type];
  const facet = upstream?.text;
  if (!upstream || !facet) return null;
  const resolved = textAddress(facet, ask, choice, scope.hops);
  if (!resolved) return null;
  const isOurs = !isBoundByItself(ask.model, request, bound);
  if (isOurs) format.bound?.(body, outputTokensMax);
  const ofModel = format.fit?.(body, ask.model) ?? nothing;
  const ofVendor = facet.fit?.(body, ask, settings.baseUrl) ?? nothing;
  const left = ofVendor.length === 0 ? ofModel : [...ofModel, ...ofVendor];
  const raised = format.outputBound && raiseBound(format.outputBound, body);
  const adjusted = facet.adjust?.(body, ask, settings.baseUrl) ?? body;
  const thoughts = facet.boundThoughts?.(adjusted, ask, settings.baseUrl);
  const bounds = isOurs ? withBound(added, client, request, outputTokensMax) : added;
  return {
    upstream,
    facet,
    ask,
    address: resolved,
    body: override(settings, thoughts?.body ?? adjusted),
    format,
    conversion,
    embedded,
    ignored: withLeftOut(ignored, raised ? [...left, raised] : left, names),
    names,
    sent,
    added: thoughts && thoughts.added.length > 0 ? [...bounds, ...thoughts.added] : bounds,
  };
}

/** A bound that the client did not name is told to it, because the answer may end there. */
function withBound(
  added: readonly string[],
  { boundField }: Format,
  { outputTokensMax: named }: TextRequest,
  outputTokensMax: number,
): readonly string[] {
  const isNamed = named !== null && outputTokensMax >= named;
  return isNamed ? added : [...added, `${boundField}=${outputTokensMax}`];
}

const nothing: readonly LeftOut[] = [];
const noneAdded: readonly string[] = [];

/** Tell the client in its own words, once, which fields were left out. */
export function withLeftOut(
  ignored: readonly string[],
  left: readonly LeftOut[],
  names: FieldNames | null,
): readonly string[] {
  return left.length === 0 ? ignored : [...new Set([...ignored, ...nameAll(left, names)])];
}

function nameAll(left: readonly LeftOut[], names: FieldNames | null): string[] {
  return left.map(({ field, name }) => (field && names?.[field]) ?? name);
}

/** A bound below what the wire takes would be refused, so it is raised, and told. */
function raiseBound(
  { field, tokensMin }: NonNullable<Format["outputBound"]>,
  body: JsonObject,
): LeftOut | null {
  const wanted = body[field];
  if (typeof wanted !== "number" || wanted >= tokensMin) return null;
  body[field] = tokensMin;
  return { name: field, field: "outputTokensMax" };
}

/** The most that any wire raises a small bound to, which is held wherever one may be spoken. */
export const convertedTokensMin = Math.max(
  ...Object.values(formats).map(({ outputBound }) => outputBound?.tokensMin ?? 0),
);

/** The model makes no more than was paid for, so that the body may go on as it came. */
function isBoundByItself(
  model: string,
  { isDefaultBound, choices }: TextRequest,
  { declaredTokensMax, outputTokensMax }: RequestBound,
): boolean {
  const own = declaredTokensMax ?? knownOutputTokensMax(model);
  return own !== null && (own * choices <= outputTokensMax || isDefaultBound === true);
}

type Spoken = Pick<
  TextPlan,
  "body" | "format" | "conversion" | "embedded" | "ignored" | "names" | "sent" | "added"
>;

interface PassedOn {
  spoken: Spoken;
  wireHeaders: TextTry["wireHeaders"];
}

function passOn(textTry: TextTry, settings: ChannelSettings, target: RequestTarget): PassedOn {
  const { format, wireHeaders, request, priced } = textTry;
  const { surcharges: askedFor } = request;
  const routed = settings.allowRouting ? null : withoutRouting(textTry.body);
  const { body, ignored: left } = routed ?? { body: textTry.body, ignored: [] };
  if (!askedFor) {
    const spoken = native(format, forward(textTry, settings, body, target));
    return { spoken: routed ? { ...spoken, ignored: left } : spoken, wireHeaders };
  }
  const askedBody = { body, headers: wireHeaders, found: askedFor };
  const allowed = allowSurcharges(settings, askedBody, priced);
  const { ignored, sent, added } = allowed;
  const spoken = native(format, forward(textTry, settings, allowed.body, target));
  const more = upstreams[settings.type]?.text?.surchargeHeaders?.(allowed.body, format.name);
  return {
    spoken: { ...spoken, ignored: [...left, ...ignored], sent, added },
    wireHeaders: more ? { ...allowed.headers, ...more } : allowed.headers,
  };
}

function forward(
  { format, conversation }: TextTry,
  settings: ChannelSettings,
  body: JsonObject,
  target: RequestTarget,
): JsonObject {
  const forwarded = format.forward(body, target);
  if (conversation && takesCacheKey(settings, format)) addCacheKey(forwarded, conversation);
  return forwarded;
}

function native(format: Format, body: JsonObject): Spoken {
  return {
    body,
    format,
    conversion: null,
    embedded: null,
    ignored: [],
    names: null,
    sent: noSurcharges,
    added: noneAdded,
  };
}

function convertEmbedding(
  { format, body, request, shownModel }: TextTry,
  { model }: RequestTarget,
  settings: ChannelSettings,
): Spoken {
  const wire = wiresOf(settings).embedding;
  const [client, upstream] = [format.embedding, wire?.embedding?.upstream];
  if (!wire || !client || !upstream) throw new GatewayError("model_not_found");
  const ask = client.decodeRequest(body);
  return {
    ...native(wire, upstream.encodeRequest(ask, model)),
    ignored: upstream.takesHints ? ask.ignored : [...ask.ignored, ...(ask.hints?.names ?? [])],
    embedded(reply, usage) {
      const read = upstream.decodeReply(reply);
      const shown = read && usage ? { ...read, inputTokens: usage.inputTokens } : read;
      return shown && client.encodeReply(shown, { body, model: shownModel ?? request.model });
    },
  };
}

/**
 * Go by another wire of the channel, where the model takes there what it refuses on the client's.
 */
function detourOf(
  textTry: TextTry,
  target: RequestTarget,
  settings: ChannelSettings,
): Spoken | null {
  const dialect = textTry.format.betterDialect?.(textTry.body, target.model) ?? null;
  const wire = dialect && wireOf(settings, formats[dialect]);
  if (!wire?.isNative) return null;
  try {
    return convert(textTry, target, { settings, format: wire.format });
  } catch (error) {
    // A body that cannot be said there is said here, with less.
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

interface ConvertedBy {
  settings: ChannelSettings;
  format?: Format | null;
}

function convert(
  textTry: TextTry,
  target: RequestTarget,
  { settings, format = wiresOf(settings).dialect }: ConvertedBy,
): Spoken {
  const { client } = textTry.format;
  if (!client || !format?.upstream) throw new GatewayError("model_not_found");
  const exchange = withPaidSearch(textTry);
  const { exchange: aliased, names, ids } = aliasNames(exchange, format.upstream);
  const encoded = format.upstream.encodeRequest(aliased, target);
  const { request, body, createdAtSeconds } = textTry;
  const { shownModel } = textTry;
  const named = shownModel === null ? exchange : { ...exchange, model: shownModel };
  const { requestId } = textTry.scope;
  const frame = { requestId, createdAtSeconds, exchange: named, request, body };
  const askedFor = carriedSurcharges(format, encoded.body, request.surcharges ?? noSurcharges);
  const askedBody = { body: encoded.body, headers: {}, found: askedFor };
  const allowed = allowSurcharges(settings, askedBody, textTry.priced);
  return {
    body: allowed.body,
    format,
    embedded: null,
    conversion: new Conversion({ client, upstream: format.upstream, frame, names, ids }),
    ignored: [...exchange.ignored, ...encoded.ignored, ...allowed.ignored],
    names: exchange.names,
    sent: allowed.sent,
    added: allowed.added,
  };
}

/** A search that was not found in the client's own body is not paid for, and goes nowhere. */
function withPaidSearch(textTry: TextTry): Exchange {
  const { format, body, request } = textTry;
  const askedBody = (textTry.exchange ??= toExchange(format, body, request));
  if (!askedBody.search || request.surcharges?.some(({ search }) => search)) return askedBody;
  return { ...askedBody, search: null, ignored: [...askedBody.ignored, askedBody.search.at] };
}

/** The body is the channel's own copy already, made when its model was set. */
function override(settings: ChannelSettings, body: JsonObject): JsonObject {
  const { parametersSet, parametersRemoved, dropStore } = settings;
  for (const name of Object.keys(parametersSet)) body[name] = parametersSet[name];
  for (const name of parametersRemoved) delete body[name];
  if (dropStore) delete body["store"];
  return body;
}
