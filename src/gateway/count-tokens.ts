// How many tokens a request has. The vendor is asked where it speaks the client's format and
// counts; elsewhere it is counted here. It costs nothing.
import type { Deadlines } from "../core/deadline.ts";
import { GatewayError } from "../core/errors.ts";
import { isObject, parseJson, type JsonObject } from "../core/json.ts";
import type { Send } from "../core/outbound.ts";
import type { Channel } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import type { Format } from "../formats/format.ts";
import type { Caller } from "../identity/caller.ts";
import { upstreams } from "../upstreams/index.ts";
import type { Meter } from "./meter/meter.ts";
import { recallBody } from "./memory/recall-text.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import { findChannels } from "./open-text.ts";
import { speaksNatively } from "./plan-text.ts";
import type { Scope } from "./scope.ts";
import { within } from "./time-limit.ts";

export interface CountParts {
  channels: Channels;
  memory: ResponseMemory;
  meter: Meter;
  send: Send;
  deadlines: Deadlines;
  firstByteMs: number;
}

export interface CountCall {
  format: Format;
  model: string;
  body: JsonObject;
  caller: Caller;
  scope: Scope;
  wireHeaders: Readonly<Record<string, string>>;
  /** The vendor's own answer, or the count made here in its words. */
  render(count: number): JsonObject;
}

const replyBytesMax = 1024 * 1024;

export async function countTokens(parts: CountParts, asked: CountCall): Promise<JsonObject> {
  const call = { ...asked, body: recallBody(parts.memory, asked)?.body ?? asked.body };
  const found = findChannels(parts, call, call.model);
  if (found.length === 0) throw new GatewayError("model_not_found", { param: "model" });
  for (const channel of found) {
    if (!speaksNatively(channel.settings, call.format)) continue;
    const counted = await askVendor(parts, call, channel);
    if (counted) return counted;
  }
  return call.render(await parts.meter.countRequest(call.format.name, call.body));
}

/** Null when the vendor does not count, or not now. */
async function askVendor(
  { send, deadlines, firstByteMs }: CountParts,
  { format, model: publicModel, body, scope, wireHeaders }: CountCall,
  channel: Channel,
): Promise<JsonObject | null> {
  const { settings } = channel;
  const key = settings.keys.find(({ isEnabled }) => isEnabled);
  const model = channel.upstreamModel(publicModel);
  const ask = { format: format.name, action: "count", model, stream: false, wireHeaders } as const;
  const { baseUrl, headers } = settings;
  const target = key && { baseUrl, key: key.text, headers };
  const facet = upstreams[settings.type]?.text;
  const address = target && facet?.address(ask, target);
  if (!facet || !address) return null;
  // Google's body says nothing of the model, the others' do.
  const named = body["model"] === undefined ? body : { ...body, model };
  const adjusted = facet.adjust?.(named, ask) ?? named;
  try {
    return await within(deadlines, firstByteMs, scope, async (signal) => {
      const reply = await send({
        url: address.url,
        method: "POST",
        headers: { ...address.headers, "content-type": "application/json" },
        body: JSON.stringify(adjusted),
        signal,
      });
      const read = parseJson(await reply.bytes(replyBytesMax));
      return reply.status === 200 && isObject(read) ? read : null;
    });
  } catch {
    return null;
  }
}
