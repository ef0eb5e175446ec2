// Means of an upstream's media protocol: one channel's address and key, and a way to the vendor
// that is bounded in time and size.
import type { Clock } from "../../core/clock.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { digestOf } from "../../core/digest.ts";
import { parseJson, type Json } from "../../core/json.ts";
import type { OutboundReply, OutboundRequest, Send } from "../../core/outbound.ts";
import type { ChannelId } from "../../core/ids.ts";
import type { ChannelKey, ChannelSettings } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { RequestTrace, TracedTask } from "../../observe/otlp/request-trace.ts";
import type { Tracer } from "../../observe/otlp/tracer.ts";
import type { TaskPlace } from "../../tasks/task.ts";
import { upstreams } from "../../upstreams/index.ts";
import type {
  AssetFacet,
  ImgFCall,
  ImgFFacet,
  VendorCall,
  VendorReply,
  VendorRequest,
  VideoCall,
  VideoFacet,
} from "../../upstreams/upstream.ts";
import { passOf, targetOf } from "../target.ts";

export interface VendorNeeds {
  send: Send;
  clock: Clock;
  deadlines: Deadlines;
  channels: Channels;
  /** A channel that takes no new work any more, but may have some of old. */
  readRetired(id: ChannelId): Promise<ChannelSettings | null>;
  /** The most a vendor may take to answer a call about a job. */
  vendorCallMs: number;
  /** Null where nothing is traced. */
  tracer: Pick<Tracer, "openTask"> | null;
}

const replyBytesMax = 128 * 1024 * 1024;

/** A channel and the exact key of it. */
export interface VendorPlace {
  settings: ChannelSettings;
  key: ChannelKey;
  /** The trace the vendor is told of; null where nothing is traced. */
  trace?: RequestTrace | null;
}

/** Null when the channel's vendor makes no videos. */
export function videoWay(
  needs: VendorNeeds,
  place: VendorPlace,
  names: { taskId: string; model: string },
): { facet: VideoFacet; call: VideoCall } | null {
  const facet = upstreams[place.settings.type]?.video;
  return facet ? { facet, call: { ...vendorCall(needs, place), ...names } } : null;
}

/** Null when the channel's vendor knows nothing of imgF. */
export function imgFWay(
  needs: VendorNeeds,
  place: VendorPlace,
  names: { taskId: string; parent: string | null },
): { facet: ImgFFacet; call: ImgFCall } | null {
  const facet = upstreams[place.settings.type]?.imgF;
  return facet ? { facet, call: { ...vendorCall(needs, place), ...names } } : null;
}

/** Null when the channel's vendor registers no media, or not with this key. */
export function assetWay(
  needs: VendorNeeds,
  place: VendorPlace,
): { facet: AssetFacet; call: VendorCall } | null {
  const facet = upstreams[place.settings.type]?.assets;
  const call = vendorCall(needs, place);
  return facet?.accepts(call.target) ? { facet, call } : null;
}

function vendorCall(needs: VendorNeeds, place: VendorPlace): VendorCall {
  return {
    target: targetOf(place),
    nowSeconds: Math.floor(needs.clock.nowMs() / 1000),
    send: (request) => sendVendor(needs, place, request),
  };
}

/** The channel and key that work on something of ours; null when they are gone. */
export async function findPlace(
  { channels, readRetired }: VendorNeeds,
  { channelId, keyDigest: digest }: Pick<TaskPlace, "channelId" | "keyDigest">,
): Promise<VendorPlace | null> {
  const settings = channels.find(channelId)?.settings ?? (await readRetired(channelId));
  const key = settings?.keys.find((known) => keyDigest(known) === digest);
  return settings && key ? { settings, key } : null;
}

/** The same of a task, whose trace the vendor is told of. */
export async function findTaskPlace(
  needs: VendorNeeds,
  task: Pick<TaskPlace, "channelId" | "keyDigest"> & TracedTask,
): Promise<VendorPlace | null> {
  const place = await findPlace(needs, task);
  return place && { ...place, trace: needs.tracer?.openTask(task) ?? null };
}

export function keyDigest({ text }: ChannelKey): string {
  return digestOf(text);
}

async function sendVendor(
  needs: VendorNeeds,
  place: VendorPlace,
  request: VendorRequest,
): Promise<VendorReply> {
  const limit = new AbortController();
  const watch = needs.deadlines.watch(needs.vendorCallMs, () => limit.abort());
  try {
    const { trace } = place;
    const outbound = toOutbound(request, place, limit.signal);
    const headers = trace ? { ...outbound.headers, ...trace.headers } : outbound.headers;
    const reply = await needs.send({ ...outbound, headers });
    return { status: reply.status, headers: reply.headers, json: await readJson(reply) };
  } finally {
    watch.end();
  }
}

interface OutboundPlace {
  settings: Pick<ChannelSettings, "transport">;
  key: ChannelKey;
}

export function toOutbound(
  { method, address, body }: VendorRequest,
  { settings: { transport }, key }: OutboundPlace,
  signal: OutboundRequest["signal"],
): OutboundRequest {
  const headers = { ...address.headers, "user-agent": "sluice", "accept-encoding": "identity" };
  const isFresh = method === "POST";
  const pass = passOf(address, key);
  const request = { url: address.url, method, headers, transport, pass, signal, isFresh };
  if (body === undefined) return request;
  if (body instanceof FormData) return { ...request, body };
  return {
    ...request,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
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
