// What an upstream's media protocol works with: one channel's address and key, and a way to the
// vendor that is bounded in time and size.
import type { Clock } from "../../core/clock.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { digestOf } from "../../core/digest.ts";
import { parseJson, type Json } from "../../core/json.ts";
import type { OutboundReply, Send } from "../../core/outbound.ts";
import type { ChannelKey } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { TaskPlace } from "../../tasks/task.ts";
import { upstreams } from "../../upstreams/index.ts";
import type {
  VendorReply,
  VendorRequest,
  VideoCall,
  VideoFacet,
} from "../../upstreams/upstream.ts";

export interface VendorParts {
  send: Send;
  clock: Clock;
  deadlines: Deadlines;
  channels: Channels;
  /** The most a vendor may take to answer a call about a job. */
  vendorCallMs: number;
}

const replyBytesMax = 128 * 1024 * 1024;

export interface VendorWay {
  facet: VideoFacet;
  call: VideoCall;
}

/** Null when the channel's vendor makes no videos. */
export function videoWay(
  parts: VendorParts,
  { channel, key }: Choice,
  { taskId, model }: { taskId: string; model: string },
): VendorWay | null {
  const facet = upstreams[channel.settings.type]?.video;
  if (!facet) return null;
  const { baseUrl, headers } = channel.settings;
  const call: VideoCall = {
    taskId,
    model,
    target: { baseUrl, key: key.text, headers },
    nowSeconds: Math.floor(parts.clock.nowMs() / 1000),
    send: (request) => sendVendor(parts, request),
  };
  return { facet, call };
}

/** The channel and key that work on a task; null when they are gone. */
export function findPlace({ channels }: VendorParts, place: TaskPlace): Choice | null {
  const channel = channels.find(place.channelId);
  const key = channel?.settings.keys.find((one) => keyDigest(one) === place.keyDigest);
  return channel && key ? { channel, key } : null;
}

export function keyDigest({ text }: ChannelKey): string {
  return digestOf(text);
}

async function sendVendor(parts: VendorParts, request: VendorRequest): Promise<VendorReply> {
  const abort = new AbortController();
  const watch = parts.deadlines.watch(parts.vendorCallMs, () => abort.abort());
  try {
    const reply = await parts.send(toOutbound(request, abort.signal));
    return { status: reply.status, headers: reply.headers, json: await readJson(reply) };
  } finally {
    watch.end();
  }
}

function toOutbound({ method, address, body }: VendorRequest, signal: AbortSignal) {
  const headers = { ...address.headers, "user-agent": "sluice", "accept-encoding": "identity" };
  if (body === undefined) return { url: address.url, method, headers, signal };
  if (body instanceof FormData) return { url: address.url, method, headers, body, signal };
  return {
    url: address.url,
    method,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  };
}

async function readJson(reply: OutboundReply): Promise<Json> {
  const bytes = await reply.bytes(replyBytesMax);
  try {
    return parseJson(bytes);
  } catch {
    return null;
  }
}
