// Text, from a parsed body to an answer: read, find channels, price, hold, attempt, relay, settle.
import type { Clock } from "../core/clock.ts";
import type { Deadlines } from "../core/deadline.ts";
import { GatewayError, toGatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { Channel } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import type { Format, Reply, TextRequest } from "../formats/format.ts";
import type { Caller } from "../identity/caller.ts";
import type { Admission } from "../limits/limiter.ts";
import type { RequestOutcome } from "../observe/outcome.ts";
import type { Balances } from "../quota/balances.ts";
import { boundText, estimateUsage, usageText, type BoundRules } from "../quota/estimate.ts";
import type { Ledger, Reservation } from "../quota/ledger.ts";
import { textCost, textHold, type PriceSnapshot } from "../quota/price.ts";
import type { Prices } from "../quota/prices.ts";
import type { Answer } from "./answer.ts";
import { attemptChannels, type AttemptParts, type Lease, type Progress } from "./attempt.ts";
import { kindOfError, type TextOutcome } from "./outcome.ts";
import { Relay, type StreamEnd } from "./relay.ts";
import type { Scope } from "./scope.ts";
import { servesText, tryText, type ServedText, type TryParts } from "./try-text.ts";

export interface TextParts extends AttemptParts, TryParts {
  clock: Clock;
  deadlines: Deadlines;
  channels: Channels;
  prices: Prices;
  ledger: Ledger;
  balances: Balances;
  bounds: BoundRules;
  stallMs: number;
  totalMs: number;
}

export interface TextCall {
  format: Format;
  body: JsonObject;
  bodyBytes: number;
  caller: Caller;
  admission: Admission;
  scope: Scope;
  /** Called exactly once, when everything about the request is known. */
  ended(outcome: TextOutcome): void;
}

/** Everything decided before the first upstream is called. */
interface Job {
  call: TextCall;
  request: TextRequest;
  candidates: readonly Channel[];
  progress: Progress;
  price: PriceSnapshot;
  reservation: Reservation;
  /** The most output that was paid for in advance. */
  outputTokensMax: number;
}

type Served<Kind extends ServedText["kind"]> = Extract<ServedText, { kind: Kind }>;

export async function serveText(parts: TextParts, call: TextCall): Promise<Answer> {
  let request: TextRequest | null = null;
  let job: Job | null = null;
  try {
    request = call.format.read(call.body);
    job = await open(parts, call, request);
    const lease = await attempt(parts, job);
    if (lease.value.kind === "whole") return await answerWhole(parts, job, lease, lease.value);
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

async function open(parts: TextParts, call: TextCall, request: TextRequest): Promise<Job> {
  const { caller } = call;
  const { model } = request;
  const candidates = findChannels(parts, call, model);
  if (candidates.length === 0) throw new GatewayError("model_not_found", { param: "model" });
  const price = parts.prices.snapshot(model, caller.multiplierPpm);
  const [account, key] = await Promise.all([
    parts.balances.account(caller.accountId),
    parts.balances.key(caller.keyId),
  ]);
  if (!account || !key) throw new GatewayError("invalid_api_key");
  const bound = boundText(request, call.bodyBytes, parts.bounds);
  const reservation = parts.ledger.reserve({
    id: call.scope.requestId,
    account,
    key,
    group: caller.group,
    model,
    micros: textHold(price, bound),
    price: price.text,
  });
  const { outputTokensMax } = bound;
  const progress = { attempts: 0, channel: null };
  return { call, request, candidates, progress, price, reservation, outputTokensMax };
}

function findChannels(parts: TextParts, { caller, format }: TextCall, model: string) {
  if (caller.models && !caller.models.has(model)) return [];
  return parts.channels
    .candidates(model, caller.group)
    .filter((channel) => servesText(channel.settings, format));
}

function attempt(parts: TextParts, job: Job): Promise<Lease<ServedText>> {
  const { call, request, candidates, progress } = job;
  const { format, body, scope } = call;
  return attemptChannels(parts, candidates, progress, (choice) =>
    tryText(parts, { format, request, body, scope }, choice),
  );
}

async function answerWhole(
  parts: TextParts,
  job: Job,
  lease: Lease<ServedText>,
  { bytes, reply }: Served<"whole">,
): Promise<Answer> {
  lease.release();
  const firstByteMs = parts.clock.monotonicMs() - job.call.scope.startedAtMs;
  await settle(parts, job, { lease, reply, kind: "ok", error: null, firstByteMs });
  return {
    status: 200,
    contentType: "application/json",
    headers: job.call.admission.headers,
    body: bytes,
  };
}

function answerStream(
  parts: TextParts,
  job: Job,
  lease: Lease<ServedText>,
  { pump, observer, first, abort }: Served<"stream">,
): Answer {
  const { format, scope, admission } = job.call;
  const firstByteMs = parts.clock.monotonicMs() - scope.startedAtMs;
  const relay = new Relay({
    pump,
    first,
    abort,
    deadlines: parts.deadlines,
    stallMs: parts.stallMs,
    totalMs: parts.totalMs,
    isSpent: () => isSpent(parts, job, observer.reply().outputTokensEstimate),
    encodeError: (error) => format.encodeError(error, scope.requestId),
    async settle(end) {
      lease.release();
      await settle(parts, job, {
        lease,
        reply: observer.reply(),
        kind: kindOfEnd(end),
        error: end.kind === "broken" ? end.error : null,
        firstByteMs,
      });
    },
  });
  return { status: 200, contentType: "text/event-stream", headers: admission.headers, body: relay };
}

/** Estimates are rough, so only what is far past its bound is weighed against the money left. */
const estimateSlack = 4;

function isSpent(parts: TextParts, job: Job, outputTokens: number): boolean {
  const { call, request, price, reservation, outputTokensMax } = job;
  if (outputTokens <= outputTokensMax * estimateSlack) return false;
  const used = textCost(price, estimateUsage(request, call.bodyBytes, outputTokens));
  return used > reservation.micros + parts.ledger.spareMicros(reservation);
}

function kindOfEnd(end: StreamEnd): RequestOutcome {
  if (end.kind === "complete") return "ok";
  return end.kind === "broken" ? "upstream_error" : "client_abort";
}

interface Settlement {
  lease: Lease<ServedText>;
  reply: Reply;
  kind: RequestOutcome;
  error: GatewayError | null;
  firstByteMs: number;
}

/** Charges what was delivered; a reply that brought nothing at all costs nothing. */
async function settle(parts: TextParts, job: Job, settlement: Settlement): Promise<void> {
  const { call, request, price, reservation } = job;
  const { reply, lease, kind, error } = settlement;
  const isEstimated = reply.usage === null;
  const usage = reply.usage ?? estimateUsage(request, call.bodyBytes, reply.outputTokensEstimate);
  const isNothing = kind !== "ok" && isEstimated && reply.outputTokensEstimate === 0;
  let micros = 0;
  let written: Promise<boolean>;
  if (isNothing) {
    written = parts.ledger.void(reservation, error?.code ?? kind);
  } else {
    const posted = parts.ledger.post(
      reservation,
      textCost(price, usage),
      usageText(usage, isEstimated),
    );
    micros = posted.charged;
    written = posted.written;
  }
  call.admission.spend(usage.inputTokens + usage.outputTokens);
  call.admission.release();
  call.ended({
    kind,
    status: 200,
    errorCode: error?.code ?? null,
    model: request.model,
    stream: request.stream,
    channel: nameOf(lease.channel),
    usage: isNothing ? null : usage,
    isEstimated,
    micros,
    attempts: lease.attempts,
    firstByteMs: settlement.firstByteMs,
  });
  await written;
}

function failedOutcome(
  error: GatewayError,
  request: TextRequest | null,
  progress: Progress | null,
): TextOutcome {
  return {
    kind: kindOfError(error),
    status: error.status,
    errorCode: error.code,
    model: request?.model ?? "",
    stream: request?.stream ?? false,
    channel: progress?.channel ? nameOf(progress.channel) : null,
    usage: null,
    isEstimated: false,
    micros: 0,
    attempts: progress?.attempts ?? 0,
    firstByteMs: null,
  };
}

function nameOf({ settings }: Channel): { id: string; name: string } {
  return { id: settings.id, name: settings.name };
}
