// Asks a vendor whether a key is good, without having it do any work. Where it has no call for
// that, only the address is tried.
import type { Clock } from "../core/clock.ts";
import type { Deadlines } from "../core/deadline.ts";
import { parseJson, type Json } from "../core/json.ts";
import type { Send } from "../core/outbound.ts";
import { upstreams } from "../upstreams/index.ts";
import type { VendorCall, VendorReply, VendorRequest } from "../upstreams/upstream.ts";
import { targetOf } from "./target.ts";
import { toOutbound, type VendorPlace } from "./task/vendor-call.ts";

export interface CheckKeyNeeds {
  send: Send;
  deadlines: Deadlines;
  clock: Clock;
  /** For each call, where it is less than a test's. */
  answerMsMax?: number;
}

export interface KeyCheck {
  /** The fault, or null. */
  error: unknown;
  /** The vendor's; null when it did not answer. */
  status: number | null;
  checked: "key" | "address";
}

export const trialMsMax = 20_000;
const replyBytesMax = 4 * 1024 * 1024;
const unknownStatuses = new Set([404, 405, 501]);

export async function checkKey(needs: CheckKeyNeeds, place: VendorPlace): Promise<KeyCheck> {
  const upstream = upstreams[place.settings.type];
  const { call, statusOf } = vendorCall(needs, place);
  const thrown = await failureOf(upstream?.check ? upstream.check(call) : reach(call));
  const status = statusOf();
  // Some who resell a vendor's wire have not all of its addresses.
  const isUnknownThere = thrown !== null && status !== null && unknownStatuses.has(status);
  const error = isUnknownThere ? null : thrown;
  return { error, status, checked: upstream?.check && !isUnknownThere ? "key" : "address" };
}

/** Any answer will do that is not one of a vendor, or of a proxy, in trouble. */
async function reach({ target, send }: VendorCall): Promise<void> {
  const { baseUrl: url, headers } = target;
  const { status } = await send({ method: "GET", address: { url, headers: { ...headers } } });
  if (status >= 500) throw new Error(`the upstream answered with status ${status}`);
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}

/** Null where the vendor has no list of its models; throws what else is wrong. */
export async function listVendorModels(
  needs: CheckKeyNeeds,
  place: VendorPlace,
): Promise<string[] | null> {
  const upstream = upstreams[place.settings.type];
  if (!upstream?.models) return null;
  const { call, statusOf } = vendorCall(needs, place);
  try {
    return await upstream.models(call);
  } catch (error) {
    if (unknownStatuses.has(statusOf() ?? 0)) return null;
    throw error;
  }
}

function vendorCall(needs: CheckKeyNeeds, place: VendorPlace) {
  let status: number | null = null;
  const call: VendorCall = {
    target: targetOf(place),
    nowSeconds: Math.floor(needs.clock.nowMs() / 1000),
    async send(request) {
      const reply = await sendOnce(needs, place, request);
      status = reply.status;
      return reply;
    },
  };
  return { call, statusOf: () => status };
}

async function sendOnce(
  needs: CheckKeyNeeds,
  place: VendorPlace,
  request: VendorRequest,
): Promise<VendorReply> {
  const limit = new AbortController();
  const watch = needs.deadlines.watch(needs.answerMsMax ?? trialMsMax, () => limit.abort());
  try {
    const reply = await needs.send(toOutbound(request, place, limit.signal));
    const json = readOrNull(await reply.bytes(replyBytesMax));
    return { status: reply.status, headers: reply.headers, json };
  } finally {
    watch.end();
  }
}

function readOrNull(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch {
    return null;
  }
}
