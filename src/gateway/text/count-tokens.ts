// How many tokens a request has. The vendor is asked where it speaks the client's format and
// counts; elsewhere it is counted here. It costs nothing.
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import type { Send } from "../../core/outbound.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { Format, TextRequest } from "../../formats/format.ts";
import type { Caller } from "../../identity/caller.ts";
import { upstreams } from "../../upstreams/index.ts";
import { findChannels, chooseOrigin } from "./find-channels.ts";
import type { Meter } from "./meter/meter.ts";
import { recallBody } from "./memory/recall-text.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import { speaksNatively } from "./plan-text.ts";
import type { Scope } from "../scope.ts";
import { within } from "../time-limit.ts";

export interface CountNeeds {
  channels: Channels;
  origins: Origins;
  memory: ResponseMemory;
  meter: Meter;
  send: Send;
  deadlines: Deadlines;
  firstByteMs: number;
}

export interface CountInput {
  format: Format;
  body: JsonObject;
  request: TextRequest;
  caller: Caller;
  scope: Scope;
  wireHeaders: Readonly<Record<string, string>>;
  /** The vendor's own answer, or the count made here in its words. */
  render(count: number): JsonObject;
}

const replyBytesMax = 1024 * 1024;

export async function countTokens(needs: CountNeeds, arrived: CountInput): Promise<JsonObject> {
  const call = recall(needs, arrived);
  const { format, request, body } = call;
  const serving = findChannels(needs.channels, call, request.model);
  const { required, objects } = request.origins;
  const { channels, origin } =
    required || objects
      ? await chooseOrigin(needs.origins, call.caller, request, serving)
      : { channels: serving, origin: null };
  if (origin) return await countKept(needs, call, origin);
  for (const channel of channels) {
    if (!speaksNatively(channel.settings, format)) continue;
    const key = channel.settings.keys.find(({ isEnabled }) => isEnabled);
    const counted = key && (await askVendor(needs, call, { channel, key }));
    if (counted) return counted;
  }
  return call.render(await needs.meter.countRequest(format.name, body));
}

function recall({ memory }: CountNeeds, call: CountInput): CountInput {
  const recalled = recallBody(memory, call, call.caller);
  if (!recalled) return call;
  const { body, earlier } = recalled;
  return { ...call, body, request: call.format.read(body, null, earlier) };
}

/** Only the vendor that keeps a conversation knows how long it is. */
async function countKept(needs: CountNeeds, call: CountInput, origin: Choice): Promise<JsonObject> {
  const counted = await askVendor(needs, call, origin);
  if (!counted) throw new GatewayError("bad_response");
  return counted;
}

/** Null when the vendor does not count, or not now. */
async function askVendor(
  { send, deadlines, firstByteMs }: CountNeeds,
  { format, request, body, scope, wireHeaders }: CountInput,
  { channel, key }: Choice,
): Promise<JsonObject | null> {
  const { settings } = channel;
  const model = channel.upstreamModel(request.model);
  const ask = { format: format.name, action: "count", model, stream: false, wireHeaders } as const;
  const { baseUrl, headers } = settings;
  const target = { baseUrl, key: key.text, headers };
  const facet = upstreams[settings.type]?.text;
  const address = facet?.address(ask, target);
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
        transport: settings.transport,
        signal,
      });
      const read = parseJson(await reply.bytes(replyBytesMax));
      return reply.status === 200 && isObject(read) ? read : null;
    });
  } catch {
    return null;
  }
}
