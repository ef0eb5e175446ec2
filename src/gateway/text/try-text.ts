// One attempt of a text request on one channel: put it, send it, mend it by what the vendor says
// against it, and have the answer read.
import { Abort } from "../../core/abort.ts";
import type { Watch } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { BodyTooLarge, type OutboundReply } from "../../core/outbound.ts";
import { SseOverflow } from "../../core/sse.ts";
import type { Choice } from "../../distribution/choose.ts";
import { VendorRefusal, type RequestFault } from "../../upstreams/upstream.ts";
import type { Attempt } from "../attempt.ts";
import { withLowerBound, withoutBound } from "./mend/mend-bound.ts";
import { withoutRefused, type Mended } from "./mend/mend-fields.ts";
import { planText, withLeftOut, type TextPlan, type TextTry } from "./plan-text.ts";
import { passOf } from "../target.ts";
import { firstByteLimitMs } from "../time-limit.ts";
import { turnStateHeader } from "./session/turn-state.ts";
import { failed } from "../vendor-fault.ts";
import {
  abandon,
  judgeFault,
  judgeWhole,
  readRefusedReply,
  readFirst,
  type ServedText,
  type Trip,
  type TryTextNeeds,
} from "./judge-text.ts";

const replyBytesMax = 64 * 1024 * 1024;

export async function tryText(
  needs: TryTextNeeds,
  textTry: TextTry,
  choice: Choice,
): Promise<Attempt<ServedText>> {
  const plan = planOrNull(textTry, choice);
  if (plan instanceof GatewayError) return { kind: "unfit", error: plan };
  const { disconnect } = textTry;
  if (disconnect.isLeft) return { kind: "abandoned" };
  const abort = new Abort();
  const trip: Trip = { needs, textTry, choice, plan, abort };
  let watch: Watch | null = null;
  try {
    const sending = dispatch(trip, plan.body);
    // In the same step, but the vendor is at work meanwhile.
    disconnect.follow(abort);
    watch = needs.deadlines.watch(limitOf(trip), () => abort.abort());
    let reply = await sending;
    if (reply.status !== 200) {
      const answer = await readRefusal(trip, reply);
      if (!("status" in answer)) return answer;
      reply = answer;
    }
    if (textTry.request.stream) return await readFirst(trip, reply);
    return judgeWhole(trip, reply, await reply.bytes(replyBytesMax, disconnect));
  } catch (error) {
    if (disconnect.isLeft) return abandon(disconnect);
    if (error instanceof VendorRefusal) return judgeFault(trip, error.fault);
    const failure = toFailure(error, abort.aborted);
    // A body that could not be read may have more to come.
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
  let fault = await readRefusedReply(trip, refusal);
  for (let count = 0; count < mendsMax; count++) {
    const mended = fault.blame === "request" ? mend(trip, fault) : null;
    if (!mended || trip.textTry.disconnect.isLeft) break;
    const { plan } = trip;
    const ignored = withLeftOut(plan.ignored, mended.left, plan.names);
    // The vendor's own bound is lower than ours, which therefore cuts nothing off.
    const { boundField } = trip.textTry.format;
    const isOther = (bound: string) => !bound.startsWith(`${boundField}=`);
    const added = mended.isUnbounded ? plan.added.filter(isOther) : plan.added;
    trip.plan = { ...plan, body: mended.body, ignored, added };
    const reply = await dispatch(trip, mended.body);
    if (reply.status === 200) return reply;
    fault = await readRefusedReply(trip, reply);
  }
  return judgeFault(trip, fault);
}

function mend({ plan, textTry }: Trip, fault: RequestFault): Mended | null {
  const { body, facet, format } = plan;
  const own = facet.mend?.(body, fault, format.name);
  if (own) return { body: own, left: [] };
  const isOurBound = textTry.request.outputTokensMax === null;
  // A bound that stands for the wallet may be lowered, and never goes.
  const mayGo = format.bound && textTry.bound.isOfWallet !== true;
  const mendBound = mayGo ? withoutBound : withLowerBound;
  const bounded = isOurBound ? mendBound(body, fault) : null;
  return bounded ? { body: bounded, left: [], isUnbounded: true } : withoutRefused(body, fault);
}

function dispatch(trip: Trip, body: JsonObject): Promise<OutboundReply> {
  const { needs, plan, choice, abort, textTry } = trip;
  const { url, headers: known } = plan.address;
  const { trace } = textTry.scope;
  const own = plan.conversion ? known : withSession(known, textTry, choice);
  const headers = trace ? { ...own, ...trace.headers } : own;
  const { transport } = choice.channel.settings;
  const text = JSON.stringify(body);
  textTry.content?.sent(choice.channel.settings.name, plan.format, text);
  const pass = passOf(plan.address, choice.key);
  return needs.send({ url, method: "POST", headers, body: text, transport, pass, signal: abort });
}

/** Not a part of the address, which is memoised: hardly two sessions have the same. */
function withSession(
  headers: Readonly<Record<string, string>>,
  { session, turn }: TextTry,
  { channel, key }: Choice,
): Readonly<Record<string, string>> {
  const isOwnTurn = turn && turn.choice.channel === channel && turn.choice.key.text === key.text;
  if (!session && !isOwnTurn) return headers;
  return { ...session, ...headers, ...(isOwnTurn && { [turnStateHeader]: turn.value }) };
}

function toFailure(error: unknown, isTimeout: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof BodyTooLarge || error instanceof SseOverflow) {
    return new GatewayError("bad_response_body", { cause: error });
  }
  const message = isTimeout ? { message: "The upstream did not answer in time." } : {};
  return new GatewayError("do_request_failed", { ...message, cause: error });
}
