// A channel's answer, read up to the point where it is certain that it serves the request: a whole
// body that is an answer, or the first content of a stream. All else is judged.
import type { Abort } from "../../core/abort.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import { encodeJson, isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import type { OutboundReply, Send } from "../../core/outbound.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Format, FormatName, Observed, TextRequest } from "../../formats/format.ts";
import { isNoAnswer } from "../../formats/kit/emptiness.ts";
import type { Usage } from "../../formats/usage.ts";
import { heardFault } from "../../upstreams/heard-fault.ts";
import type { Fault } from "../../upstreams/upstream.ts";
import type { Surcharge } from "../../formats/surcharge.ts";
import type { Attempt } from "../attempt.ts";
import { overheard } from "./capture.ts";
import type { Restate } from "./conversion.ts";
import { ConvertPump } from "./pump/convert-pump.ts";
import { EventPump } from "./pump/event-pump.ts";
import { noTally, type Tally } from "./meter/tally.ts";
import { ModelWatch, replyModel, type NamedModel } from "./names/named-model.ts";
import { namesObjects } from "./named-objects.ts";
import type { TextPlan, TextTry } from "./plan-text.ts";
import { cut, faultDetails, firstOf, type Piece } from "../stream/pump.ts";
import type { Disconnect } from "../stream/read-on.ts";
import { hasUsed } from "./count-text.ts";
import { readUse, SurchargeObserver, SurchargeWatch } from "./surcharges.ts";
import { countedWords, emptyAnswer } from "./stream-fault.ts";
import { mayBeCounted, withDelivered } from "./weigh-usage.ts";
import type { TextPump } from "./pump/text-pump.ts";
import { filtered, FilterWatch, isFilteredReply, refusalOf } from "./chain/refusal.ts";
import { readToldError } from "./told-error.ts";
import { eventsOf, type EventSource } from "./unframe.ts";
import { turnStateHeader } from "./session/turn-state.ts";
import { teller, type Wording } from "../conceal.ts";
import { failed, toAttempt, type AskedTokens } from "../vendor-fault.ts";
export interface TryTextNeeds {
  send: Send;
  deadlines: Deadlines;
  /** For a whole answer. */
  firstByteMs: number;
  streamFirstByteMs: number;
  /** Counts what is generated, for where the vendor does not say. */
  openTally(format: FormatName): Tally;
}

export type ServedText = ServedTextWhole | ServedTextStream;

interface Served {
  choice: Choice;
  tally: Tally;
  /** The format that the upstream was spoken to in. */
  spoken: FormatName;
  /** Fields of the client that were left out on the way. */
  ignored: readonly string[];
  /** Surcharges that were sent on. */
  sent: readonly Surcharge[];
  /** Bounds that were put in, each with its value. */
  added: readonly string[];
  /** The model that the reply says it came from. */
  named: NamedModel;
  /** State of an agent's turn, in the vendor's words and the client's own format. */
  turnState: string | null;
}

export interface ServedTextWhole extends Served {
  kind: "whole";
  bytes: Uint8Array;
  observed: Observed;
  /** The reply where no vendor keeps it. */
  unstored: JsonObject | null;
  /** The reply with the usage that is charged; null where it goes on as it came. */
  restate: Restate | null;
}

export interface ServedTextStream extends Served {
  kind: "stream";
  pump: TextPump;
  first: Piece;
  abort: Abort;
}

const errorBytesMax = 256 * 1024;

/** One request on its way to one channel. */
export interface Trip {
  needs: TryTextNeeds;
  textTry: TextTry;
  choice: Choice;
  plan: TextPlan;
  abort: Abort;
}

/** The client has left, and whether the vendor did what it was asked for will never be known. */
export function abandon(disconnect: Disconnect): Attempt<never> {
  disconnect.isUnheard = true;
  return { kind: "abandoned" };
}

export function judgeFault(trip: Trip, fault: Fault): Attempt<never> {
  const attempt = toAttempt(fault, tellOf(trip.choice, trip.textTry.body), askedBy(trip));
  if (attempt.kind === "refused" && fault.blame === "request") {
    const why = refusalOf(fault);
    return why ? { ...attempt, why } : attempt;
  }
  if (attempt.kind !== "failed" || attempt.blame !== "suspect") return attempt;
  return { ...attempt, namesObjects: namesObjects(trip.plan.body) };
}

/** A token is a byte at least, and a part that is read elsewhere no more than a picture's most. */
function askedBy({ plan, textTry }: Trip): AskedTokens {
  const { request, outputTokensMax } = textTry;
  const input = Buffer.byteLength(JSON.stringify(plan.body)) + request.mediaParts * partTokensMax;
  return { input, output: outputTokensMax * request.choices };
}

const partTokensMax = 4096;

export function judgeWhole(
  trip: Trip,
  reply: OutboundReply,
  received: Uint8Array,
): Attempt<ServedText> {
  const { needs, plan, choice, textTry } = trip;
  const body = parseOrNull(received);
  const read = readReply(plan, body, received);
  if (!read) return judgeTold(trip, reply, body) ?? failed(new GatewayError("bad_response_body"));
  const { ignored, sent, added } = plan;
  const { bytes, unstored, restate } = read;
  const size = { body: isObject(body) ? body : noBody, bytes: received.length };
  const observed = withDelivered(read.observed, plan.format, size);
  const { usage } = observed;
  if (isNoAnswer(observed, textTry.request)) {
    textTry.wasted?.(observed);
    const cause = countedWords(observed);
    return failed(new GatewayError("bad_response", { message: emptyAnswer, cause }));
  }
  if (textTry.goesOnRefused && isFilteredReply(plan.format, body)) {
    textTry.wasted?.(observed);
    return filtered();
  }
  let tally = noTally;
  if (!usage || mayBeCounted(usage, observed, textTry.bound)) {
    tally = needs.openTally(plan.format.name);
    tally.push(received);
  }
  if (plan.conversion || plan.embedded) textTry.content?.heard(received);
  const value: ServedTextWhole = {
    kind: "whole",
    choice,
    tally,
    spoken: plan.format.name,
    ignored,
    added,
    sent,
    named: replyModel(body),
    turnState: turnStateIn(plan, reply),
    bytes,
    observed,
    unstored,
    restate,
  };
  return { kind: "served", value };
}

/** Asks for the reply's headers only where they may have one: they are read when asked for. */
function turnStateIn({ conversion, format }: TextPlan, reply: OutboundReply): string | null {
  return format.name === "responses" && !conversion ? reply.headers.get(turnStateHeader) : null;
}

const noBody: JsonObject = Object.freeze({});

/** An error that came as a success is judged by what it says; null when it is none. */
function judgeTold(
  trip: Trip,
  { headers }: Pick<OutboundReply, "headers">,
  replyBody: Json,
): Attempt<never> | null {
  const vendorError = readToldError(replyBody);
  if (!vendorError) return null;
  const { status, body } = vendorError;
  const { baseUrl } = trip.choice.channel.settings;
  const fault = trip.plan.upstream.readFault(status, headers, body, baseUrl);
  if (fault.blame !== "channel") return judgeFault(trip, fault);
  const tell = tellOf(trip.choice, trip.textTry.body);
  const vendorMessage = tell.client(vendorError.message);
  const cause = tell.operator(vendorError.message);
  return failed(new GatewayError("bad_response", { vendorMessage, cause }));
}

/** A vendor may speak of addresses that its client has sent. */
function tellOf({ channel: { settings }, key }: Choice, body: JsonObject): Wording {
  return teller({ settings, key }, () => JSON.stringify(body));
}

type ReadReply = Pick<ServedTextWhole, "bytes" | "observed" | "unstored" | "restate">;

/** A vendor's whole answer as the client gets it; null where it is none of its format. */
export function readReply(plan: TextPlan, body: Json, received: Uint8Array): ReadReply | null {
  const read = readBody(plan, body, received);
  const { surcharges } = plan.format;
  if (!read || !surcharges || plan.sent.length === 0) return read;
  return { ...read, observed: { ...read.observed, use: readUse(surcharges, body) } };
}

function readBody(
  { conversion, embedded, format }: TextPlan,
  body: Json,
  received: Uint8Array,
): ReadReply | null {
  if (embedded) {
    const observed = format.readReply(body);
    const shown = embedded(body);
    const restate = (usage: Usage) => embedded(body, usage) ?? shown ?? noBody;
    return observed && shown && { bytes: encodeJson(shown), observed, unstored: null, restate };
  }
  if (!conversion) {
    const observed = format.readReply(body);
    if (!observed) return null;
    const restate = usageWriter(format, body, observed);
    if (!format.complete || !isObject(body))
      return { bytes: received, observed, unstored: null, restate };
    const shown = format.complete(body);
    const unstored = body["store"] === false ? shown : null;
    return { bytes: encodeJson(shown), observed, unstored, restate };
  }
  const converted = conversion.convertReply(body, received);
  if (!converted) return null;
  const { observed, restate } = converted;
  return { bytes: encodeJson(converted.body), observed, unstored: converted.body, restate };
}

/** Null where the vendor told a usage: then the reply goes on as it came. */
function usageWriter({ writeUsage, complete }: Format, body: Json, { usage }: Observed) {
  if (usage?.outputTokens || !writeUsage || !isObject(body)) return null;
  return (charged: Usage) => writeUsage(complete?.(body) ?? body, charged);
}

const cutOff = "The stream broke off.";

export async function readFirst(trip: Trip, reply: OutboundReply): Promise<Attempt<ServedText>> {
  const { needs, plan, textTry, choice, abort } = trip;
  const { disconnect } = textTry;
  const source = eventsOf(reply, plan.facet);
  if (!source) {
    const replyBody = parseOrNull(await reply.bytes(errorBytesMax));
    return judgeTold(trip, reply, replyBody) ?? failed(new GatewayError("bad_response_body"));
  }
  const named = new ModelWatch();
  const filter = textTry.goesOnRefused ? new FilterWatch(plan.format) : null;
  const counted = named.over(needs.openTally(plan.format.name));
  const own = filter?.over(counted) ?? counted;
  const { content } = textTry;
  const tally = content?.order && plan.conversion ? overheard(own, content) : own;
  const pump = openPump(trip, source, { request: textTry.request, tally });
  const first = await beginning(pump, filter).catch((error: unknown) => {
    if (disconnect.isLeft) return cut;
    tally.drop();
    throw error;
  });
  if (filter?.isFiltered && !disconnect.isLeft) {
    abort.abort();
    tally.drop();
    textTry.wasted?.(pump.observed());
    return filtered();
  }
  const { ignored, sent, added } = plan;
  const spoken = plan.format.name;
  const value: ServedTextStream = {
    kind: "stream",
    choice,
    tally,
    spoken,
    ignored,
    added,
    sent,
    named,
    turnState: turnStateIn(plan, reply),
    pump,
    first,
    abort,
  };
  // Nobody waits for what comes, but what was told until now has to be paid for.
  if (disconnect.isLeft && hasUsed(pump.observed())) return { kind: "served", value };
  if (first.kind === "cut" || (first.kind === "fault" && first.bytes.length === 0)) {
    abort.abort();
    tally.drop();
    if (disconnect.isLeft && first.kind === "cut") return abandon(disconnect);
    if (first.kind === "cut") return failed(new GatewayError("bad_response", { message: cutOff }));
    if (isNoAnswer(pump.observed(), textTry.request)) textTry.wasted?.(pump.observed());
    const judged = judgeTold(trip, reply, first.data ?? null);
    return judged ?? failed(new GatewayError("bad_response", faultDetails(first)));
  }
  return { kind: "served", value };
}

/** The first piece, and those behind it until it is known whether a filter stops the rest. */
async function beginning(pump: TextPump, filter: FilterWatch | null): Promise<Piece> {
  let first = await firstOf(pump);
  while (filter?.isOpen && first.kind === "bytes") {
    const next = await firstOf(pump);
    if (next.kind === "cut") return next;
    first = { ...next, bytes: Buffer.concat([first.bytes, next.bytes]) };
  }
  if (first.kind === "end") filter?.close();
  return first;
}

export function openPump(
  { plan, choice }: Pick<Trip, "plan" | "choice">,
  source: EventSource,
  { request, tally }: { request: TextRequest; tally: Tally },
): TextPump {
  const { conversion, format, sent } = plan;
  const { surcharges } = format;
  const tell = tellOf(choice, plan.body);
  const watch = surcharges && sent.length > 0 ? new SurchargeWatch(surcharges) : null;
  if (!conversion) {
    const plain = format.observe(request);
    const observer = watch ? new SurchargeObserver(plain, watch) : plain;
    return new EventPump({ source, observer, tally, tell, request });
  }
  return new ConvertPump({ source, stream: conversion.convertStream(watch), tally, tell });
}

export async function readRefusedReply(
  { plan, choice }: Trip,
  reply: OutboundReply,
): Promise<Fault> {
  const bytes = await reply.bytes(errorBytesMax);
  const { status, headers } = reply;
  const { baseUrl } = choice.channel.settings;
  const fault = plan.upstream.readFault(status, headers, parseOrNull(bytes), baseUrl);
  return heardFault(fault, status, headers);
}

function parseOrNull(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch {
    return null;
  }
}
