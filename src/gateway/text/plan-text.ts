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
import { upstreams } from "../../upstreams/index.ts";
import type { Address, TextAsk, TextFacet, Upstream } from "../../upstreams/upstream.ts";
import { Conversion } from "./conversion.ts";
import type { Scope } from "../scope.ts";
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
    const ask: TextAsk = {
      format: textTry.format.name,
      action: textTry.action,
      model,
      stream,
      wireHeaders: textTry.wireHeaders,
    };
    const plan = address(textTry, passOn(textTry, target), ask, choice);
    if (plan) return plan;
  }
  const spoken = convert(textTry, target, takenBy(settings)[0]);
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
  { body, format, conversion, ignored }: Spoken,
  ask: TextAsk,
  choice: Choice,
): TextPlan | null {
  const { settings } = choice.channel;
  const upstream = upstreams[settings.type];
  const facet = upstream?.text;
  if (!upstream || !facet) return null;
  const resolved = textAddress(facet, ask, choice, scope.hops);
  if (!resolved) return null;
  const isBounded = isBoundByItself(ask.model, request, outputTokensMax);
  const bounded = isBounded ? body : (format.bound?.(body, outputTokensMax) ?? body);
  const adjusted = facet.adjust?.(bounded, ask) ?? bounded;
  return {
    upstream,
    facet,
    ask,
    address: resolved,
    body: override(settings, adjusted),
    format,
    conversion,
    ignored,
  };
}

/** The model makes no more than was paid for, so that the body may go on as it came. */
function isBoundByItself(
  model: string,
  { isDefaultBound }: TextRequest,
  outputTokensMax: number,
): boolean {
  const own = catalogueModels.get(model)?.outputTokensMax ?? null;
  return own !== null && (own <= outputTokensMax || isDefaultBound === true);
}

type Spoken = Pick<TextPlan, "body" | "format" | "conversion" | "ignored">;

function passOn({ format, body }: TextTry, target: RequestTarget): Spoken {
  return { body: format.forward(body, target), format, conversion: null, ignored: [] };
}

function convert(textTry: TextTry, target: RequestTarget, dialect: FormatName | undefined): Spoken {
  const { client } = textTry.format;
  const format = dialect && formats[dialect];
  if (!client || !format?.upstream) throw new GatewayError("model_not_found");
  const exchange = textTry.exchange();
  const { exchange: aliased, names } = aliasNames(exchange, format.upstream);
  const encoded = format.upstream.encodeRequest(aliased, target);
  const { request, body, createdAtSeconds } = textTry;
  const frame = { requestId: textTry.scope.requestId, createdAtSeconds, exchange, request, body };
  return {
    body: encoded.body,
    format,
    conversion: new Conversion({ client, upstream: format.upstream, frame, names }),
    ignored: [...exchange.ignored, ...encoded.ignored],
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
