// One job on one channel. The vendor's reply is read with its pictures held on disk: where the
// reply has base64 there may be the word that stands for it.
import type { Clock } from "../../core/clock.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { OutboundReply, OutboundRequest, Send } from "../../core/outbound.ts";
import type { Channel, ChannelSettings } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { ImageCall, ImageFacet, ImageReply, VendorRequest } from "../../upstreams/upstream.ts";
import { hopHeader } from "../scope.ts";
import { toOutbound } from "../task/vendor-call.ts";
import { within } from "../time-limit.ts";
import type { NeedParts } from "../video/needed-bytes.ts";
import type { HeldTexts } from "./held/texts.ts";
import { withNeededBytes } from "./needed-bytes.ts";

export interface RunParts {
  send: Send;
  clock: Clock;
  deadlines: Deadlines;
  needs: NeedParts;
  /** The most a vendor may take for one call; it draws while the call waits. */
  imageCallMs: number;
  imageReplyBytesMax: number;
}

export interface ImageRun {
  job: ImageJob;
  /** The client's own body, for upstreams that take it as it is. */
  original: JsonObject;
  choice: Choice;
  /** Ours; it goes along wherever the vendor has a field for it. */
  reference: string;
  /** What the reply's long texts are held by; the caller drops them. */
  held: HeldTexts;
  signal: AbortSignal;
  /** How many gateways like this one the request has passed. */
  hops: number;
}

/** Throws VendorRefusal, OutboundFailed, BodyTooLarge, or the 400 of a reference. */
export async function runImage(parts: RunParts, run: ImageRun): Promise<ImageReply> {
  const { job, original, choice } = run;
  const facet = imageFacetOf(choice.channel.settings);
  if (!facet) throw new GatewayError("model_not_found", { param: "model" });
  const ready = await withNeededBytes(parts.needs, facet, job);
  return await facet.run(ready, original, imageCall(parts, run));
}

/** Undefined when the channel's vendor makes no images. */
export function imageFacetOf({ type }: ChannelSettings): ImageFacet | undefined {
  return upstreams[type]?.image;
}

export function imageCall(parts: RunParts, run: ImageRun): ImageCall {
  const { job, original, choice, reference, held } = run;
  const { baseUrl, headers } = choice.channel.settings;
  return {
    target: { baseUrl, key: choice.key.text, headers },
    nowSeconds: Math.floor(parts.clock.nowMs() / 1000),
    reference,
    model: upstreamModel(choice.channel, job.model, original),
    async send(request) {
      return await within(parts.deadlines, parts.imageCallMs, run, async (signal) => {
        const reply = await sendImage(parts, run, { request, signal });
        const json = await held.read(reply, parts.imageReplyBytesMax);
        return { status: reply.status, headers: reply.headers, json };
      });
    },
  };
}

export async function sendImage(
  { send }: Pick<RunParts, "send">,
  { choice, hops }: Pick<ImageRun, "choice" | "hops">,
  { request, signal }: { request: VendorRequest; signal: OutboundRequest["signal"] },
): Promise<OutboundReply> {
  const { settings } = choice.channel;
  const outbound = toOutbound(override(settings, request), settings, signal);
  const headers = { ...outbound.headers, [hopHeader]: String(hops + 1) };
  return await send({ ...outbound, headers });
}

/** A channel may name the model as its family does, or as the client did. */
function upstreamModel(channel: Channel, model: string, { model: asked }: JsonObject): string {
  const { models } = channel.settings;
  const isAsAsked = !models.includes(model) && typeof asked === "string" && models.includes(asked);
  return channel.upstreamModel(isAsAsked ? asked : model);
}

function override(settings: ChannelSettings, request: VendorRequest): VendorRequest {
  const { parametersSet, parametersRemoved } = settings;
  const { body } = request;
  const set = Object.entries(parametersSet);
  if (body === undefined || (set.length === 0 && parametersRemoved.length === 0)) return request;
  if (body instanceof FormData) {
    for (const [name, value] of set) {
      body.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    for (const name of parametersRemoved) body.delete(name);
    return request;
  }
  const changed = { ...body, ...parametersSet };
  for (const name of parametersRemoved) delete changed[name];
  return { ...request, body: changed };
}
