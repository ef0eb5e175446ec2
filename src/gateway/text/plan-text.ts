// How a text request is put to one channel: as it came where the upstream speaks the client's
// format, converted where it speaks another.
import { catalogueModels } from "../../catalogue/models.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Exchange } from "../../formats/exchange.ts";
import type { Format, FormatName, RequestTarget, TextRequest } from "../../formats/format.ts";
import { formats } from "../../formats/index.ts";
import { toNormalForm } from "../../formats/kit/normal-form.ts";
import { aliasNames } from "../../formats/kit/tool-names.ts";
import type { RequestBound } from "../../quota/estimate.ts";
import { noSurcharges, type Surcharge } from "../../formats/surcharge.ts";
import type { PricedSurcharge } from "../../quota/surcharge-price.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Address, TextAsk, TextFacet, Upstream } from "../../upstreams/upstream.ts";
import { Conversion } from "./conversion.ts";
import type { Scope } from "../scope.ts";
import type { Departure } from "../stream/read-on.ts";
import { allowSurcharges, carriedSurcharges } from "./surcharges.ts";
import { textAddress } from "./text-address.ts";

export interface TextTry {
  format: Format;
  request: TextRequest;
  body: JsonObject;
  scope: Scope;
  createdAtSeconds: number;
  action: "generate" | "compact";
  /** The client's headers that belong to its format's wire. */
  wireHeaders: Readonly<Record<string, string>>;
  /** The output of one answer that was paid for in advance. */
  outputTokensMax: number;
  /** What all answers together can use. */
  bound: RequestBound;
  departure: Departure;
  /** What it asks for beyond its tokens, as far as that has a price. */
  priced: readonly PricedSurcharge[];
  /** The request in the neutral shape, made when the first channel needs it. */
  exchange(): Exchange;
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
  /** Fields of the client that were left out on the way. */
  ignored: readonly string[];
  /** What costs more than its tokens and was sent on. */
  sent: readonly Surcharge[];
}

export function servesText(settings: ChannelSettings, format: Format): boolean {
  const taken = takenBy(settings);
  return taken.includes(format.name) || (taken.length > 0 && format.client !== null);
}

/** The request in the neutral shape, in the form that encoders rely on. */
export function toExchange(format: Format, body: JsonObject, request: TextRequest): Exchange {
  if (!format.client) throw new GatewayError("model_not_found");
  return toNormalForm(format.client.decodeRequest(body, request));
}

/** Whether a channel takes the format as it is. */
export function speaksNatively(settings: ChannelSettings, format: Format): boolean {
  return takenBy(settings).includes(format.name);
}

function takenBy({ type, format }: ChannelSettings): readonly FormatName[] {
  return upstreams[type]?.text?.formats(format) ?? [];
}

/** Throws the 400 that names a field which this upstream's dialect cannot express. */
export function planText(textTry: TextTry, choice: Choice): TextPlan {
  const { settings } = choice.channel;
  const model = choice.channel.upstreamModel(textTry.request.model);
  const { stream } = textTry.request;
  const target: RequestTarget = { model, stream, outputTokensMax: textTry.outputTokensMax };
  if (speaksNatively(settings, textTry.format)) {
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
  const spoken = convert(textTry, target, settings);
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

/** Null when the upstream has no place for what is asked. */
function address(
  { scope, request, outputTokensMax }: TextTry,
  { body, format, conversion, boundName, ignored, sent }: Spoken,
  ask: TextAsk,
  choice: Choice,
): TextPlan | null {
  const { settings } = choice.channel;
  const upstream = upstreams[settings.type];
  const facet = upstream?.text;
  if (!upstream || !facet) return null;
  const resolved = textAddress(facet, ask, choice, scope.hops);
  if (!resolved) return null;
  if (!isBoundByItself(ask.model, request, outputTokensMax)) format.bound?.(body, outputTokensMax);
  const raised = format.outputBound && raiseBound(format.outputBound, body, boundName);
  const adjusted = facet.adjust?.(body, ask) ?? body;
  return {
    upstream,
    facet,
    ask,
    address: resolved,
    body: override(settings, adjusted),
    format,
    conversion,
    ignored: raised === undefined ? ignored : [...ignored, raised],
    sent,
  };
}

/**
 * A bound below what the wire takes would be refused, so it is raised: the name is that of the
 * client's field, which is told, or undefined where it may stay.
 */
function raiseBound(
  { field, tokensMin }: NonNullable<Format["outputBound"]>,
  body: JsonObject,
  name: string | null,
): string | undefined {
  const asked = body[field];
  if (typeof asked !== "number" || asked >= tokensMin) return undefined;
  body[field] = tokensMin;
  return name ?? field;
}

/** The most that any wire raises a small bound to, which is held wherever one may be spoken. */
export const convertedTokensMin = Math.max(
  ...Object.values(formats).map(({ outputBound }) => outputBound?.tokensMin ?? 0),
);

/** The model makes no more than was paid for, so that the body may go on as it came. */
function isBoundByItself(
  model: string,
  { isDefaultBound }: TextRequest,
  outputTokensMax: number,
): boolean {
  const own = catalogueModels.get(model)?.outputTokensMax ?? null;
  return own !== null && (own <= outputTokensMax || isDefaultBound === true);
}

interface Spoken extends Pick<TextPlan, "body" | "format" | "conversion" | "ignored" | "sent"> {
  /** What the client calls its bound on the output, where that is not what the wire calls it. */
  boundName: string | null;
}

interface PassedOn {
  spoken: Spoken;
  wireHeaders: TextTry["wireHeaders"];
}

function passOn(textTry: TextTry, settings: ChannelSettings, target: RequestTarget): PassedOn {
  const { format, body, wireHeaders, request, priced } = textTry;
  const { surcharges: found } = request;
  if (!found) return { spoken: native(format, format.forward(body, target)), wireHeaders };
  const asked = { body, headers: wireHeaders, found };
  const allowed = allowSurcharges(settings, asked, priced);
  const { ignored, sent } = allowed;
  const spoken = native(format, format.forward(allowed.body, target));
  return { spoken: { ...spoken, ignored, sent }, wireHeaders: allowed.headers };
}

function native(format: Format, body: JsonObject): Spoken {
  return { body, format, conversion: null, boundName: null, ignored: [], sent: noSurcharges };
}

function convert(textTry: TextTry, target: RequestTarget, settings: ChannelSettings): Spoken {
  const dialect = takenBy(settings)[0];
  const { client } = textTry.format;
  const format = dialect && formats[dialect];
  if (!client || !format?.upstream) throw new GatewayError("model_not_found");
  const exchange = textTry.exchange();
  const { exchange: aliased, names } = aliasNames(exchange, format.upstream);
  const encoded = format.upstream.encodeRequest(aliased, target);
  const { request, body, createdAtSeconds, bound } = textTry;
  const frame = { requestId: textTry.scope.requestId, createdAtSeconds, exchange, request, body };
  const found = carriedSurcharges(format, encoded.body, request.surcharges ?? noSurcharges);
  const asked = { body: encoded.body, headers: {}, found };
  const allowed = allowSurcharges(settings, asked, textTry.priced);
  return {
    body: allowed.body,
    format,
    conversion: new Conversion({ client, upstream: format.upstream, frame, names, bound }),
    boundName: exchange.names.outputTokensMax,
    ignored: [...exchange.ignored, ...encoded.ignored, ...allowed.ignored],
    sent: allowed.sent,
  };
}

/** The body is the channel's own copy already, made when its model was set. */
function override(settings: ChannelSettings, body: JsonObject): JsonObject {
  const { parametersSet, parametersRemoved, dropStore } = settings;
  for (const name of Object.keys(parametersSet)) body[name] = parametersSet[name];
  for (const name of parametersRemoved) delete body[name];
  if (dropStore) delete body["store"];
  return body;
}
