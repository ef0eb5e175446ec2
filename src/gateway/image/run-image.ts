// One job on one channel. The vendor's reply is read with its pictures held on disk: where the
// reply has base64 there may be the word that stands for it.
import type { Clock } from "../../core/clock.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { OutboundReply, OutboundRequest, Send } from "../../core/outbound.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { namesOf } from "../../families/model-names.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { ImageCall, ImageFacet, ImageReply, VendorRequest } from "../../upstreams/upstream.ts";
import { hopHeader, type Scope } from "../scope.ts";
import { targetOf } from "../target.ts";
import { toOutbound } from "../task/vendor-call.ts";
import type { Disconnect } from "../stream/read-on.ts";
import { firstByteLimitMs, within } from "../time-limit.ts";
import type { ReferenceNeeds } from "../video/needed-bytes.ts";
import type { HeldTexts } from "./held/texts.ts";
import { jobAt, withImageBytes } from "./needed-bytes.ts";

export interface RunImageNeeds {
  send: Send;
  clock: Clock;
  deadlines: Deadlines;
  references: ReferenceNeeds;
  /** The most a vendor may take for one call; it draws while the call waits. */
  rules: { readonly callMs: number; readonly replyBytesMax: number };
}

export interface ImageRun {
  job: ImageJob;
  /** The client's own body, for upstreams that take it as it is. */
  original: JsonObject;
  choice: Choice;
  /** Ours; it goes along wherever the vendor has a field for it. */
  reference: string;
  /** The store of the reply's long texts; the caller drops them. */
  held: HeldTexts;
  signal: AbortSignal;
  /** The leaving of the client that waits for it, if one does. */
  disconnect?: Disconnect;
  /** The count of gateways like this one that the request has passed. */
  hops: number;
  trace?: Scope["trace"];
}

/** Throws VendorRefusal, OutboundFailed, BodyTooLarge, or the 400 of a reference. */
export async function runImage(needs: RunImageNeeds, run: ImageRun): Promise<ImageReply> {
  const { job, original, choice } = run;
  const facet = imageFacetOf(choice.channel.settings);
  if (!facet) throw new GatewayError("model_not_found", { param: "model" });
  const ready = await withImageBytes(needs.references, facet, jobAt(choice.channel, job));
  return await facet.run(ready, original, imageCall(needs, run));
}

/** Undefined when the channel's vendor makes no images. */
export function imageFacetOf({ type }: ChannelSettings): ImageFacet | undefined {
  return upstreams[type]?.image;
}

export function imageCall(needs: RunImageNeeds, run: ImageRun): ImageCall {
  const { job, choice, reference, held } = run;
  const { key } = choice;
  return {
    target: targetOf({ settings: choice.channel.settings, key }),
    nowSeconds: Math.floor(needs.clock.nowMs() / 1000),
    reference,
    model: choice.channel.upstreamModelOf(namesOf(job)),
    async send(request) {
      const limitMs = firstByteLimitMs(choice.channel, needs.rules.callMs);
      assertWaiting(run);
      return await within(needs.deadlines, limitMs, run, async (signal) => {
        const reply = await sendImage(needs, run, { request, signal });
        const json = await held.read(reply, needs.rules.replyBytesMax, run.disconnect);
        return { status: reply.status, headers: reply.headers, json };
      }).catch((error: unknown) => {
        if (run.disconnect?.isLeft) run.disconnect.isUnheard = true;
        throw error;
      });
    },
  };
}

/** Nothing is begun for a client that has left. */
export function assertWaiting({ disconnect }: Pick<ImageRun, "disconnect">): void {
  if (disconnect?.isLeft) throw new GatewayError("client_closed_request");
}

export async function sendImage(
  { send }: Pick<RunImageNeeds, "send">,
  { choice, hops, trace }: Pick<ImageRun, "choice" | "hops" | "trace">,
  { request, signal }: { request: VendorRequest; signal: OutboundRequest["signal"] },
): Promise<OutboundReply> {
  const { settings } = choice.channel;
  const outbound = toOutbound(override(settings, request), { settings, key: choice.key }, signal);
  const headers = { ...outbound.headers, [hopHeader]: String(hops + 1), ...trace?.headers };
  return await send({ ...outbound, headers });
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
