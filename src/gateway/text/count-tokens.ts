// The tokens of a request. A vendor that counts is asked, in the client's format or converted into
// its own; where none does, or not in time, it is counted here. It costs nothing.
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import type { Send } from "../../core/outbound.ts";
import type { Random } from "../../core/random.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { VirtualModels } from "../../distribution/virtual-models.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { Format, TextRequest } from "../../formats/format.ts";
import { aliasNames } from "../../formats/kit/tool-names.ts";
import type { Caller } from "../../identity/caller.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { TextAsk } from "../../upstreams/upstream.ts";
import { drawOf } from "./chain/conversation.ts";
import { chooseOrigin } from "./choose-origin.ts";
import { findChannels, isAllowed, servingOf } from "./find-channels.ts";
import type { Meter } from "./meter/meter.ts";
import { bringRecalled, recallBody } from "./memory/recall-text.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import { toExchange } from "./plan-text.ts";
import { convertedTo, wireOf } from "./wires.ts";
import type { Scope } from "../scope.ts";
import { passOf, targetOf } from "../target.ts";
import { within } from "../time-limit.ts";

export interface CountNeeds {
  channels: Channels;
  virtualModels: VirtualModels;
  random: Random;
  origins: Origins;
  memory: ResponseMemory;
  meter: Meter;
  send: Send;
  deadlines: Deadlines;
  firstByteMs: number;
}

export interface CountInput {
  format: Format;
  /** The body, unchanged from the client. */
  body: JsonObject;
  /** The request itself, where the body only wraps it. */
  plain: JsonObject;
  request: TextRequest;
  caller: Caller;
  scope: Scope;
  wireHeaders: Readonly<Record<string, string>>;
  /** A count in the words of the format. */
  render(count: number): JsonObject;
}

interface Counted {
  body: JsonObject;
  /** No vendor has counted it. */
  isEstimated: boolean;
}

const replyBytesMax = 1024 * 1024;
/** Nobody waits longer for a count, however many vendors are asked. */
const countMsMax = 10_000;

export async function countTokens(needs: CountNeeds, arrived: CountInput): Promise<Counted> {
  const call = await recall(needs, arrived);
  const { format, body } = call;
  const { model, serving } = firstServed(needs, call);
  const request = { ...call.request, model };
  const { required, objects } = request.origins;
  const { channels, origin } =
    required || objects
      ? await chooseOrigin(needs.origins, call.caller, request, serving)
      : { channels: serving, origin: null };
  const limitMs = Math.min(needs.firstByteMs, countMsMax);
  const answer = await within(needs.deadlines, limitMs, call.scope, (signal) =>
    origin
      ? askOrigin(needs, { ...call, request }, origin, signal)
      : askVendors(needs, { ...call, request }, channels, signal),
  );
  if (answer) return { body: answer, isEstimated: false };
  // Only the vendor that keeps a conversation knows how long it is.
  if (origin) throw new GatewayError("bad_response");
  const count = await needs.meter.countRequest(format.name, body);
  return { body: call.render(count), isEstimated: true };
}

/** The first member of a virtual model that is there says how long a request is. */
function firstServed(needs: CountNeeds, call: CountInput): FirstServed {
  const { caller, request } = call;
  const named = caller.ownNames?.resolve(request.model) ?? request.model;
  const virtual = needs.virtualModels.find(named, caller.group);
  if (virtual && isAllowed(caller, named)) {
    const { accountId } = caller;
    const id = call.format.conversation?.id(call.body) ?? null;
    const draw = drawOf(needs.random, { accountId, id, body: call.body });
    for (const { model } of needs.virtualModels.chainOf(virtual, caller.group, draw)) {
      const serving = servingOf(needs, call, model);
      if (serving.length > 0) return { model, serving };
    }
  }
  return { model: named, serving: findChannels(needs.channels, call, named) };
}

interface FirstServed {
  model: string;
  serving: readonly Channel[];
}

/** Those that take the request as it is come first. */
async function askVendors(
  needs: CountNeeds,
  call: CountInput,
  channels: readonly Channel[],
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const speaks = ({ settings }: Channel) => wireOf(settings, call.format)?.isNative === true;
  const inOrder = [...channels.filter(speaks), ...channels.filter((one) => !speaks(one))];
  for (const channel of inOrder) {
    const key = channel.settings.keys.find(({ isEnabled }) => isEnabled);
    const counted = key && (await askOrigin(needs, call, { channel, key }, signal));
    if (counted) return counted;
  }
  return null;
}

async function recall({ memory }: CountNeeds, call: CountInput): Promise<CountInput> {
  await bringRecalled(memory, call, call.caller);
  const recalled = recallBody(memory, call, call.caller);
  if (!recalled) return call;
  const { body, earlier } = recalled;
  return { ...call, body, plain: body, request: call.format.read(body, null, earlier) };
}

/** Null when the vendor does not count, or not now. */
async function askOrigin(
  needs: CountNeeds,
  call: CountInput,
  choice: Choice,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const { settings } = choice.channel;
  const wire = convertedTo(settings, call.format);
  const question = wire ? convertedQuestion(call, wire, choice) : nativeQuestion(call, choice);
  const reply = question && (await put(needs, question, choice, signal));
  if (!reply || !wire) return reply;
  const count = wire.upstream?.counting?.read(reply) ?? null;
  return count === null ? null : call.render(count);
}

interface Question {
  ask: TextAsk;
  body: JsonObject;
}

function nativeQuestion(
  { format, request, body, wireHeaders }: CountInput,
  { channel }: Choice,
): Question {
  const model = channel.upstreamModel(request.model);
  const ask = { format: format.name, action: "count", model, stream: false, wireHeaders } as const;
  // Google's body says nothing of the model, the others' do.
  return { ask, body: body["model"] === undefined ? body : { ...body, model } };
}

/** Null where the wire has no word for the request, or none for counting. */
function convertedQuestion(
  { format, plain, request }: CountInput,
  wire: Format,
  { channel }: Choice,
): Question | null {
  const { upstream } = wire;
  if (!upstream?.counting) return null;
  const model = channel.upstreamModel(request.model);
  const ask = {
    format: wire.name,
    action: "count",
    model,
    stream: false,
    wireHeaders: {},
  } as const;
  try {
    const { exchange } = aliasNames(toExchange(format, plain, request), upstream);
    const outputTokensMax = request.outputTokensMax ?? outputTokensAssumed;
    const target = { model, stream: false, outputTokensMax };
    const { body } = upstream.encodeRequest(exchange, target);
    return { ask, body: only(body, upstream.counting.fields) };
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** Output that may be written adds nothing to the input. */
const outputTokensAssumed = 4096;

function only(body: JsonObject, names: readonly string[] | null): JsonObject {
  if (!names) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

async function put(
  { send }: CountNeeds,
  { ask, body }: Question,
  { channel, key }: Choice,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const { type, baseUrl, transport } = channel.settings;
  const facet = upstreams[type]?.text;
  const address = facet?.address(ask, targetOf({ settings: channel.settings, key }));
  if (!facet || !address) return null;
  try {
    const reply = await send({
      url: address.url,
      method: "POST",
      headers: { ...address.headers, "content-type": "application/json" },
      body: JSON.stringify(facet.adjust?.(body, ask, baseUrl) ?? body),
      transport,
      pass: passOf(address, key),
      signal,
    });
    const read = parseJson(await reply.bytes(replyBytesMax));
    if (reply.status !== 200 || !isObject(read)) return null;
    return facet.readCount?.(read) ?? read;
  } catch {
    return null;
  }
}
