// Tries a channel without having it do any work: whether its address answers and its key is taken.
// Where the vendor has no call for that, only the address is tried, and the result says so.
import { isObject, parseJson, type Json } from "../../core/json.ts";
import { describe, scrub } from "../../core/log.ts";
import type { ChannelKey, ChannelSettings } from "../../distribution/channel.ts";
import type { Scope } from "../../gateway/scope.ts";
import { toOutbound } from "../../gateway/task/vendor-call.ts";
import { upstreams } from "../../upstreams/index.ts";
import {
  VendorRefusal,
  type Fault,
  type VendorCall,
  type VendorReply,
  type VendorRequest,
} from "../../upstreams/upstream.ts";
import type { ChannelTest } from "../contract.ts";
import type { ChannelNeeds } from "./needs.ts";

export interface Trial {
  settings: ChannelSettings;
  key: ChannelKey;
  model: string;
  scope: Scope;
}

export interface KeyTrial {
  result: ChannelTest;
  /** The vendor could not be reached, or is not well. */
  isChannelFault: boolean;
}

export const trialMsMax = 20_000;
const messageCharactersMax = 500;
const replyBytesMax = 4 * 1024 * 1024;
const unknownStatuses = new Set([404, 405, 501]);
const verdicts = {
  key: "The vendor takes the key. No work was started, so the model itself was not tried.",
  address: "The address answers. There is no free call that would also try the key.",
};

export async function checkChannel(needs: ChannelNeeds, trial: Trial): Promise<KeyTrial> {
  const { settings, key, model } = trial;
  const upstream = upstreams[settings.type];
  const startedAtMs = needs.clock.monotonicMs();
  const { call, statusOf } = vendorCall(needs, trial);
  const thrown = await failureOf(upstream?.check ? upstream.check(call) : reach(call));
  const status = statusOf();
  // Some who resell a vendor's wire have not all of its addresses.
  const isUnknownThere = thrown !== null && status !== null && unknownStatuses.has(status);
  const error = isUnknownThere ? null : thrown;
  const checked = upstream?.check && !isUnknownThere ? "key" : "address";
  return {
    result: {
      ok: error === null,
      status,
      latency_ms: Math.round(needs.clock.monotonicMs() - startedAtMs),
      message: error === null ? verdicts[checked] : withoutKey(tell(error), key.text),
      model,
      key: key.position,
      checked,
    },
    isChannelFault: error !== null && blameOf(error) === "channel",
  };
}

/** The vendor's own words help an operator, but never with the key in them. */
export function withoutKey(text: string, keyText: string): string {
  return scrub(text.replaceAll(keyText, "[secret]")).slice(0, messageCharactersMax);
}

/** Any answer will do that is not one of a vendor, or of a proxy, in trouble. */
async function reach({ target, send }: VendorCall): Promise<void> {
  const { baseUrl: url, headers } = target;
  const { status } = await send({ method: "GET", address: { url, headers: { ...headers } } });
  if (status >= 500) throw new Error(`the upstream answered with status ${status}`);
}

function blameOf(error: unknown): Fault["blame"] {
  return error instanceof VendorRefusal ? error.fault.blame : "channel";
}

function tell(error: unknown): string {
  return error instanceof VendorRefusal ? error.fault.message : describe(error);
}

/** What went wrong, or null. */
async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}

function vendorCall(needs: ChannelNeeds, { settings, key }: Trial) {
  let status: number | null = null;
  const { baseUrl, headers } = settings;
  const call: VendorCall = {
    target: { baseUrl, key: key.text, headers },
    nowSeconds: Math.floor(needs.clock.nowMs() / 1000),
    async send(request) {
      const reply = await sendOnce(needs, settings, request);
      status = reply.status;
      return reply;
    },
  };
  return { call, statusOf: () => status };
}

async function sendOnce(
  needs: ChannelNeeds,
  settings: ChannelSettings,
  request: VendorRequest,
): Promise<VendorReply> {
  const limit = new AbortController();
  const watch = needs.deadlines.watch(trialMsMax, () => limit.abort());
  try {
    const reply = await needs.send(toOutbound(request, settings, limit.signal));
    const json = readOrNull(await reply.bytes(replyBytesMax));
    return { status: reply.status, headers: reply.headers, json };
  } finally {
    watch.end();
  }
}

function readOrNull(bytes: Uint8Array): Json {
  try {
    const value = parseJson(bytes);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
