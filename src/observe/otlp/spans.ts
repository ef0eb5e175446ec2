// A request and its attempts as spans, by OpenTelemetry's conventions for generative AI. No span
// has anything of a prompt or an answer.
import { attributesOf, nanosOf, type OtlpAttribute } from "./attributes.ts";
import type { AttemptSpan, RequestTrace } from "./request-trace.ts";

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  status: { code?: number; message?: string };
}

/** Facts of a request when it has ended. */
export interface TracedRequest {
  trace: RequestTrace;
  requestId: string;
  method: string;
  route: string;
  isPaid: boolean;
  model: string;
  stream: boolean;
  channel: string | null;
  accountId: string | null;
  keyId: string | null;
  taskId: string | null;
  outcome: TracedOutcome;
  /** On the clock that never goes back. */
  startedAtMs: number;
  endedAtMs: number;
  /** On the wall's clock. */
  nowMs: number;
}

interface TracedOutcome {
  kind: string;
  status: number;
  errorCode: string | null;
  usage: TracedUsage | null;
  micros: number;
  firstByteMs: number | null;
}

interface TracedUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

const serverKind = 2;
const clientKind = 3;
export const errorStatus = { code: 2 } as const;

/** Facts of attempts when the last of them has ended. */
export interface TracedAttempts extends Pick<
  TracedRequest,
  "trace" | "route" | "model" | "endedAtMs" | "nowMs"
> {
  outcome: Pick<TracedOutcome, "kind" | "errorCode">;
}

export function spansOf(request: TracedRequest): Span[] {
  return [rootOf(request), ...attemptsOf(request)];
}

export function attemptsOf(tried: TracedAttempts): Span[] {
  return tried.trace.attempts.map((attempt, at) => attemptOf(tried, attempt, at));
}

function rootOf(request: TracedRequest): Span {
  const { trace, outcome, route, method, model } = request;
  const { usage, status, errorCode } = outcome;
  const operation = request.isPaid ? operationOf(route) : null;
  const isFault = outcome.kind === "upstream_error" || outcome.kind === "gateway_error";
  return {
    traceId: trace.traceId,
    spanId: trace.spanId,
    ...(trace.parentId !== null && { parentSpanId: trace.parentId }),
    name: operation === null ? `${method} ${route}` : `${operation} ${model}`.trim(),
    kind: serverKind,
    startTimeUnixNano: wallOf(request, request.startedAtMs),
    endTimeUnixNano: wallOf(request, request.endedAtMs),
    attributes: attributesOf({
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
      "error.type": errorCode,
      "gen_ai.operation.name": operation,
      "gen_ai.request.model": model === "" ? null : model,
      "gen_ai.usage.input_tokens": usage?.inputTokens,
      "gen_ai.usage.output_tokens": usage?.outputTokens,
      "gen_ai.usage.cache_read.input_tokens": usage?.cacheReadTokens,
      "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWriteTokens,
      "sluice.request.id": request.requestId,
      "sluice.outcome": outcome.kind,
      "sluice.stream": operation === null ? null : request.stream,
      "sluice.channel": request.channel ?? trace.attempts.at(-1)?.channel.settings.name,
      "sluice.attempts": operation === null ? null : trace.attempts.length,
      "sluice.cost_micros": operation === null ? null : outcome.micros,
      "sluice.first_byte_ms": outcome.firstByteMs,
      "sluice.account.id": request.accountId,
      "sluice.key.id": request.keyId,
      "sluice.task.id": request.taskId,
    }),
    status: isFault ? errorStatus : {},
  };
}

function attemptOf(tried: TracedAttempts, attempt: AttemptSpan, at: number): Span {
  const { trace, route, model, outcome } = tried;
  const { channel } = attempt;
  const operation = operationOf(route);
  const upstreamModel = channel.upstreamModelOf(trace.names ?? [model]);
  const isServing = attempt.endedAtMs === null;
  // The serving attempt has ended as the request did.
  const error = isServing && outcome.kind !== "ok" ? outcome.errorCode : attempt.errorCode;
  return {
    traceId: trace.traceId,
    spanId: attempt.spanId,
    parentSpanId: trace.spanId,
    name: `${operation} ${upstreamModel}`.trim(),
    kind: clientKind,
    startTimeUnixNano: wallOf(tried, attempt.startedAtMs),
    endTimeUnixNano: wallOf(tried, attempt.endedAtMs ?? tried.endedAtMs),
    attributes: attributesOf({
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": channel.settings.type,
      "gen_ai.request.model": upstreamModel,
      "server.address": URL.parse(channel.settings.baseUrl)?.hostname,
      "http.response.status_code": isServing ? 200 : attempt.vendorStatus,
      "error.type": error,
      "sluice.channel": channel.settings.name,
      "sluice.attempt": at + 1,
    }),
    status: error === null ? {} : errorStatus,
  };
}

/** The conventions' word for what an address does. */
export function operationOf(route: string): string {
  if (/embed/i.test(route)) return "embeddings";
  if (/\/(?:chat\/completions|messages|responses)\b/.test(route)) return "chat";
  return route.endsWith("/completions") ? "text_completion" : "generate_content";
}

function wallOf({ nowMs, endedAtMs }: TracedAttempts, atMs: number): string {
  return nanosOf(nowMs - (endedAtMs - atMs));
}

/** The body of a call to a collector. */
export function encodeSpans(service: { name: string; version: string }, spans: readonly Span[]) {
  const attributes = attributesOf({
    "service.name": service.name,
    "service.version": service.version,
  });
  const scope = { name: "sluice", version: service.version };
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans }] }],
  });
}
