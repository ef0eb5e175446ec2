// Text, from a parsed body to an answer: read, find channels, price, hold, attempt, relay, settle.
import type { Deadlines } from "../../core/deadline.ts";
import { toGatewayError } from "../../core/errors.ts";
import type { Exchange } from "../../formats/exchange.ts";
import type { TextRequest } from "../../formats/format.ts";
import type { Answer } from "../answer.ts";
import { ArrayPump } from "./array-pump.ts";
import { attemptChannels, type AttemptParts, type Lease } from "../attempt.ts";
import { keepReply, recallText } from "./memory/recall-text.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import { openText, type OpenParts, type TextCall, type TextJob } from "./open-text.ts";
import { toExchange, type TextTry } from "./plan-text.ts";
import { Relay } from "../stream/relay.ts";
import { failedOutcome, isSpent, kindOfEnd, settleText, type SettleParts } from "./settle-text.ts";
import {
  tryText,
  type ServedStream,
  type ServedText,
  type ServedWhole,
  type TryParts,
} from "./try-text.ts";

export interface TextParts extends AttemptParts, TryParts, OpenParts, SettleParts {
  deadlines: Deadlines;
  memory: ResponseMemory;
  stallMs: number;
  totalMs: number;
}

export async function serveText(parts: TextParts, call: TextCall): Promise<Answer> {
  let request: TextRequest | null = null;
  let job: TextJob | null = null;
  try {
    request = call.format.read(call.body, call.address);
    const recalled = recallText(parts.memory, call, request);
    request = recalled.request;
    const opened = openText(parts, recalled.call, request);
    job = opened instanceof Promise ? await opened : opened;
    const lease = await attempt(parts, job);
    if (lease.value.kind === "whole") {
      await settleWhole(parts, job, lease, lease.value);
      return answerWhole(job, lease.value);
    }
    // A stream shows something before it is settled, so its hold must be safe by then.
    await job.reservation.written;
    return answerStream(parts, job, lease, lease.value);
  } catch (error) {
    const shown = toGatewayError(error);
    if (job?.reservation.state === "open") await parts.ledger.void(job.reservation, shown.code);
    call.admission.release();
    call.ended(failedOutcome(shown, request, job?.progress ?? null));
    throw shown;
  }
}

function attempt(parts: TextParts, job: TextJob): Promise<Lease<ServedText>> {
  const asked = toTry(parts, job);
  return attemptChannels(parts, job.candidates, job.progress, (choice) =>
    tryText(parts, asked, choice),
  );
}

function toTry({ clock }: TextParts, { call, request, outputTokensMax }: TextJob): TextTry {
  const { format, body, scope, wireHeaders, action } = call;
  let exchange: Exchange | null = null;
  return {
    format,
    request,
    body,
    scope,
    wireHeaders,
    action,
    createdAtSeconds: Math.floor(clock.nowMs() / 1000),
    outputTokensMax: Math.floor(outputTokensMax / request.choices),
    exchange: () => (exchange ??= toExchange(format, body, request)),
  };
}

function settleWhole(
  parts: TextParts,
  job: TextJob,
  lease: Lease<ServedText>,
  { bytes, observed, converted }: ServedWhole,
): Promise<unknown> {
  lease.release();
  const firstByteMs = parts.clock.monotonicMs() - job.call.scope.startedAtMs;
  if (converted) keepReply(parts.memory, job.call, converted, bytes);
  return settleText(parts, job, { lease, observed, kind: "ok", error: null, firstByteMs });
}

function answerWhole({ call }: TextJob, { bytes, ignored }: ServedWhole): Answer {
  const headers = withIgnored(call.admission.headers, ignored);
  return { status: 200, contentType: "application/json", headers, body: bytes };
}

function answerStream(
  parts: TextParts,
  job: TextJob,
  lease: Lease<ServedText>,
  { pump, first, abort, ignored }: ServedStream,
): Answer {
  const { format, scope, admission } = job.call;
  const firstByteMs = parts.clock.monotonicMs() - scope.startedAtMs;
  const array = job.request.framing === "array" ? new ArrayPump(pump) : null;
  const relay = new Relay({
    pump: array ?? pump,
    first: array ? array.reframe(first) : first,
    abort,
    left: scope.signal,
    deadlines: parts.deadlines,
    stallMs: parts.stallMs,
    totalMs: parts.totalMs,
    isSpent: () => isSpent(parts.ledger, job, pump.observed().outputTokensEstimate),
    encodeError(error) {
      const bytes = format.encodeError(error, scope.requestId);
      return array ? array.endWith(bytes) : bytes;
    },
    async settle(end) {
      lease.release();
      await settleText(parts, job, {
        lease,
        observed: pump.observed(),
        kind: kindOfEnd(end),
        error: end.kind === "broken" ? end.error : null,
        firstByteMs,
      });
      const converted = end.kind === "complete" ? pump.converted?.() : null;
      if (converted) keepReply(parts.memory, job.call, converted);
    },
  });
  const contentType = array ? "application/json" : "text/event-stream";
  return {
    status: 200,
    contentType,
    headers: withIgnored(admission.headers, ignored),
    body: relay,
  };
}

/** Fields that an upstream cannot express are named, never dropped in silence. */
function withIgnored(
  headers: Readonly<Record<string, string>>,
  ignored: readonly string[],
): Readonly<Record<string, string>> {
  if (ignored.length === 0) return headers;
  const names = [...new Set(ignored)].filter((name) => /^[\w.$[\]-]+$/.test(name));
  return { ...headers, "x-sluice-ignored": names.join(", ").slice(0, ignoredCharactersMax) };
}

const ignoredCharactersMax = 1000;
