// One attempt of a text request on one channel: put it, send it, and read up to the point where it
// is certain that the channel serves it, which for a stream is its first content.
import { Abort } from "../../core/abort.ts";
import type { Deadlines, Watch } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import { encodeJson, isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import { BodyTooLarge, type OutboundReply, type Send } from "../../core/outbound.ts";
import { SseOverflow } from "../../core/sse.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { FormatName, Observed, TextRequest } from "../../formats/format.ts";
import { isNoAnswer } from "../../formats/kit/emptiness.ts";
import type { Usage } from "../../formats/usage.ts";
import { heardFault } from "../../upstreams/heard-fault.ts";
import type { Fault, RequestFault } from "../../upstreams/upstream.ts";
import type { Surcharge } from "../../formats/surcharge.ts";
import type { Attempt } from "../attempt.ts";
import { overheard } from "./capture.ts";
import type { Restate } from "./conversion.ts";
import { ConvertPump } from "./convert-pump.ts";
import { EventPump } from "./event-pump.ts";
import { withLowerBound, withoutBound } from "./mend-bound.ts";
import { withoutRefused, type Mended } from "./mend-fields.ts";
import { noTally, type Tally } from "./meter/tally.ts";
import { ModelWatch, replyModel, type NamedModel } from "./named-model.ts";
import { namesObjects } from "./named-objects.ts";
import { planText, withLeftOut, type TextPlan, type TextTry } from "./plan-text.ts";
import { cut, firstOf, isEventStream, type Piece } from "../stream/pump.ts";
import type { Departure } from "../stream/read-on.ts";
import { hasUsed } from "./count-text.ts";
import { readUse, SurchargeObserver, SurchargeWatch } from "./surcharges.ts";
import { firstByteLimitMs } from "../time-limit.ts";
import { countedWords, emptyAnswer } from "./stream-fault.ts";
import { isDoubtful, withDelivered } from "./weigh-usage.ts";
import type { TextPump } from "./text-pump.ts";
import { readToldError } from "./told-error.ts";
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
  /** What costs more than its tokens and was sent on. */
  sent: readonly Surcharge[];
  /** Bounds that were put in, each with its value. */
  added: readonly string[];
  /** The model that the reply says it came from. */
  named: NamedModel;
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

const replyBytesMax = 64 * 1024 * 1024;
const errorBytesMax = 256 * 1024;

/** One request on its way to one channel. */
interface Trip {
  needs: TryTextNeeds;
  textTry: TextTry;
  choice: Choice;
  plan: TextPlan;
  abort: Abort;
}

export async function tryText(
  needs: TryTextNeeds,
  textTry: TextTry,
  choice: Choice,
): Promise<Attempt<ServedText>> {
  const plan = planOrNull(textTry, choice);
  if (plan instanceof GatewayError) return { kind: "unfit", error: plan };
  const { departure } = textTry;
  if (departure.isLeft) return { kind: "abandoned" };
  const abort = new Abort();
  const trip: Trip = { needs, textTry, choice, plan, abort };
  let watch: Watch | null = null;
  try {
    const sending = dispatch(trip, plan.body);
    // In the same step, but the vendor is at work meanwhile.
    departure.follow(abort);
    watch = needs.deadlines.watch(limitOf(trip), () => abort.abort());
    let reply = await sending;
    if (reply.status !== 200) {
      const answer = await readRefusal(trip, reply);
      if (!("status" in answer)) return answer;
      reply = answer;
    }
    if (textTry.request.stream) return await readFirst(trip, reply);
    return judgeWhole(trip, reply, await reply.bytes(replyBytesMax, departure));
  } catch (error) {
    if (departure.isLeft) return abandon(departure);
    const failure = toFailure(error, abort.aborted);
    // What could not be read may have more to come.
    abort.abort();
    return failed(failure);
  } finally {
    watch?.end();
  }
}

function limitOf({ needs, textTry, choice }: Trip): number {
  const usualMs = textTry.request.stream ? needs.streamFirstByteMs : needs.firstByteMs;
  return firstByteLimitMs(choice.channel, usualMs);
}

/** The client has left, and whether the vendor did what it was asked for will never be known. */
function abandon(departure: Departure): Attempt<never> {
  departure.isUnheard = true;
  return { kind: "abandoned" };
}

/** A request that this channel's dialect cannot express may still fit another channel. */
function planOrNull(textTry: TextTry, choice: Choice): TextPlan | GatewayError {
  try {
    return planText(textTry, choice);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** A vendor names one thing at a time; one that goes on naming them does not want the request. */
const mendsMax = 4;

/** The reply to what was mended by what the vendor said of it, or what its refusal means. */
async function readRefusal(
  trip: Trip,
  refusal: OutboundReply,
): Promise<OutboundReply | Attempt<ServedText>> {
  let fault = await readFault(trip, refusal);
  for (let count = 0; count < mendsMax; count++) {
    const mended = fault.blame === "request" ? mend(trip, fault) : null;
    if (!mended || trip.textTry.departure.isLeft) break;
    const { plan } = trip;
    const ignored = withLeftOut(plan.ignored, mended.left, plan.names);
    // The vendor's own bound is lower than ours, which therefore cuts nothing off.
    const { boundField } = trip.textTry.format;
    const isOther = (bound: string) => !bound.startsWith(`${boundField}=`);
    const added = mended.isUnbounded ? plan.added.filter(isOther) : plan.added;
    trip.plan = { ...plan, body: mended.body, ignored, added };
    const reply = await dispatch(trip, mended.body);
    if (reply.status === 200) return reply;
    fault = await readFault(trip, reply);
  }
  return judge(trip, fault);
}

function mend({ plan, textTry }: Trip, fault: RequestFault): Mended | null {
  const { body, facet, format } = plan;
  const own = facet.mend?.(body, fault, format.name);
  if (own) return { body: own, left: [] };
  const isOurBound = textTry.request.outputTokensMax === null;
  // A bound that stands for the purse may be lowered, and never goes.
  const mayGo = format.bound && textTry.bound.isOfPurse !== true;
  const mendBound = mayGo ? withoutBound : withLowerBound;
  const bounded = isOurBound ? mendBound(body, fault) : null;
  return bounded ? { body: bounded, left: [], isUnbounded: true } : withoutRefused(body, fault);
}

function judge(trip: Trip, fault: Fault): Attempt<never> {
  const attempt = toAttempt(fault, tellOf(trip.choice, trip.textTry.body), askedBy(trip));
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

function dispatch(trip: Trip, body: JsonObject): Promise<OutboundReply> {
  const { needs, plan, choice, abort, textTry } = trip;
  const { url, headers: known } = plan.address;
  const { trace } = textTry.scope;
  const headers = trace ? { ...known, ...trace.headers } : known;
  const { transport } = choice.channel.settings;
  const text = JSON.stringify(body);
  textTry.content?.sent(choice.channel.settings.name, plan.format, text);
  return needs.send({ url, method: "POST", headers, body: text, transport, signal: abort });
}

function judgeWhole(trip: Trip, reply: OutboundReply, received: Uint8Array): Attempt<ServedText> {
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
  let tally = noTally;
  if (!usage || isDoubtful(usage, observed, textTry.bound)) {
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
    bytes,
    observed,
    unstored,
    restate,
  };
  return { kind: "served", value };
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
  const fault = trip.plan.upstream.readFault(vendorError.status, headers, vendorError.body);
  if (fault.blame !== "channel") return judge(trip, fault);
  const tell = tellOf(trip.choice, trip.textTry.body);
  const message = tell.client(vendorError.message);
  const cause = tell.operator(vendorError.message);
  return failed(new GatewayError("bad_response", { message, cause }));
}

/** A vendor may speak of addresses that its client has sent. */
function tellOf({ channel: { settings }, key }: Choice, body: JsonObject): Wording {
  return teller({ settings, key }, () => JSON.stringify(body));
}

type ReadReply = Pick<ServedTextWhole, "bytes" | "observed" | "unstored" | "restate">;

/** What a vendor's whole answer is for the client; null where it is none of its format. */
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
    if (!observed || !format.complete || !isObject(body))
      return observed && { bytes: received, observed, unstored: null, restate: null };
    const shown = format.complete(body);
    const unstored = body["store"] === false ? shown : null;
    return { bytes: encodeJson(shown), observed, unstored, restate: null };
  }
  const converted = conversion.convertReply(body, received);
  if (!converted) return null;
  const { observed, restate } = converted;
  return { bytes: encodeJson(converted.body), observed, unstored: converted.body, restate };
}

const cutOff = "The stream broke off.";

async function readFirst(trip: Trip, reply: OutboundReply): Promise<Attempt<ServedText>> {
  const { needs, plan, textTry, choice, abort } = trip;
  const { departure } = textTry;
  if (!isEventStream(reply)) {
    const replyBody = parseOrNull(await reply.bytes(errorBytesMax));
    return judgeTold(trip, reply, replyBody) ?? failed(new GatewayError("bad_response_body"));
  }
  const named = new ModelWatch();
  const own = named.over(needs.openTally(plan.format.name));
  const { content } = textTry;
  const tally = content?.order && plan.conversion ? overheard(own, content) : own;
  const pump = openPump(trip, reply, { request: textTry.request, tally });
  const first = await firstOf(pump).catch((error: unknown) => {
    if (departure.isLeft) return cut;
    tally.drop();
    throw error;
  });
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
    pump,
    first,
    abort,
  };
  // Nobody waits for what comes, but what was told until now has to be paid for.
  if (departure.isLeft && hasUsed(pump.observed())) return { kind: "served", value };
  if (first.kind === "cut" || (first.kind === "fault" && first.bytes.length === 0)) {
    abort.abort();
    tally.drop();
    if (departure.isLeft && first.kind === "cut") return abandon(departure);
    if (first.kind === "cut") return failed(new GatewayError("bad_response", { message: cutOff }));
    if (isNoAnswer(pump.observed(), textTry.request)) textTry.wasted?.(pump.observed());
    const { message, words: cause } = first;
    const judged = judgeTold(trip, reply, first.data ?? null);
    return judged ?? failed(new GatewayError("bad_response", { message, cause }));
  }
  return { kind: "served", value };
}

export function openPump(
  { plan, choice }: Pick<Trip, "plan" | "choice">,
  reply: OutboundReply,
  { request, tally }: { request: TextRequest; tally: Tally },
): TextPump {
  const { conversion, format, sent } = plan;
  const { surcharges } = format;
  const tell = tellOf(choice, plan.body);
  const watch = surcharges && sent.length > 0 ? new SurchargeWatch(surcharges) : null;
  if (!conversion) {
    const plain = format.observe(request);
    const observer = watch ? new SurchargeObserver(plain, watch) : plain;
    return new EventPump({ reply, observer, tally, tell, request });
  }
  return new ConvertPump({ reply, stream: conversion.convertStream(watch), tally, tell });
}

async function readFault({ plan }: Trip, reply: OutboundReply): Promise<Fault> {
  const bytes = await reply.bytes(errorBytesMax);
  const { status } = reply;
  const fault = plan.upstream.readFault(status, reply.headers, parseOrNull(bytes));
  return heardFault(fault, status, reply.headers);
}

function toFailure(error: unknown, isTimeout: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof BodyTooLarge || error instanceof SseOverflow) {
    return new GatewayError("bad_response_body", { cause: error });
  }
  const message = isTimeout ? { message: "The upstream did not answer in time." } : {};
  return new GatewayError("do_request_failed", { ...message, cause: error });
}

function parseOrNull(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch {
    return null;
  }
}
