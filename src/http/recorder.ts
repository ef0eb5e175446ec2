// Keeps the books of requests that are not money: metrics, the usage log, the request line.
import type { Clock } from "../core/clock.ts";
import type { GatewayError } from "../core/errors.ts";
import { timeOfId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { kindOfError, type TextOutcome } from "../gateway/outcome.ts";
import type { Scope } from "../gateway/scope.ts";
import type { Caller } from "../identity/caller.ts";
import type { GatewayMetrics, RouteMetrics } from "../observe/gateway-metrics.ts";
import type { RequestOutcome } from "../observe/outcome.ts";
import type { UsageLog } from "../observe/usage-log.ts";
import { statusOf } from "./envelopes/status.ts";

export interface RecorderParts {
  clock: Clock;
  log: Log;
  logsRequests: boolean;
  metrics: GatewayMetrics;
  usageLog: UsageLog;
}

export interface Seen {
  scope: Scope;
  method: string;
  path: string;
  /** The row's path, with its parameters unfilled, so that labels stay few. */
  route: string;
  ip: string;
  isRecorded: boolean;
}

export class Recorder {
  readonly #parts: RecorderParts;
  readonly #routes = new Map<string, RouteMetrics>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** A request that was answered without starting paid work, unless it is on record already. */
  answered(seen: Seen, status: number, error: GatewayError | null): void {
    if (seen.isRecorded) return;
    this.#close(seen, {
      kind: error ? kindOfError(error) : "ok",
      status,
      error: error?.code ?? null,
    });
  }

  /** Paid text work, when it has ended. */
  text(seen: Seen, caller: Caller, outcome: TextOutcome): void {
    const status = outcome.refusal ? statusOf(outcome.refusal) : 200;
    const latencyMs = this.#close(seen, {
      kind: outcome.kind,
      status,
      error: outcome.errorCode,
      model: outcome.model,
      channel: outcome.channel?.name,
      micros: outcome.micros,
    });
    const { usage, firstByteMs } = outcome;
    const { metrics, usageLog } = this.#parts;
    if (firstByteMs !== null) this.#route(seen.route).firstByteSeconds.observe(firstByteMs / 1000);
    if (usage) {
      metrics.tokens.input.add(usage.inputTokens);
      metrics.tokens.output.add(usage.outputTokens);
      metrics.tokens.cache_read.add(usage.cacheReadTokens);
      metrics.tokens.cache_write.add(usage.cacheWriteTokens);
      metrics.tokens.reasoning.add(usage.reasoningTokens);
    }
    metrics.spentMicros.add(outcome.micros);
    usageLog.add({
      id: seen.scope.requestId,
      kind: "request",
      atMs: timeOfId(seen.scope.requestId) ?? 0,
      accountId: caller.accountId,
      keyId: caller.keyId,
      keyName: caller.keyName,
      group: caller.group,
      route: seen.route,
      model: outcome.model,
      channelId: outcome.channel?.id ?? null,
      channelName: outcome.channel?.name ?? null,
      status,
      outcome: outcome.kind,
      stream: outcome.stream,
      inputTokens: usage?.inputTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
      cacheReadTokens: usage?.cacheReadTokens ?? 0,
      cacheWriteTokens: usage?.cacheWriteTokens ?? 0,
      reasoningTokens: usage?.reasoningTokens ?? 0,
      images: outcome.images ?? 0,
      mediaMs: 0,
      estimated: outcome.isEstimated,
      micros: outcome.micros,
      latencyMs: Math.round(latencyMs),
      firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
      attempts: outcome.attempts,
      ip: seen.ip,
      errorCode: outcome.errorCode,
      taskId: outcome.taskId ?? null,
    });
  }

  #close(seen: Seen, facts: Facts): number {
    seen.isRecorded = true;
    const { clock, log, logsRequests } = this.#parts;
    const latencyMs = clock.monotonicMs() - seen.scope.startedAtMs;
    const route = this.#route(seen.route);
    route.requests[facts.kind].add(1);
    route.seconds.observe(latencyMs / 1000);
    if (logsRequests || facts.kind === "gateway_error" || facts.kind === "upstream_error") {
      const { kind: outcome, ...rest } = facts;
      log.info("request", {
        request: seen.scope.requestId,
        method: seen.method,
        path: seen.path,
        outcome,
        ...rest,
        ms: Math.round(latencyMs),
      });
    }
    return latencyMs;
  }

  #route(name: string): RouteMetrics {
    let metrics = this.#routes.get(name);
    if (!metrics) this.#routes.set(name, (metrics = this.#parts.metrics.route(name)));
    return metrics;
  }
}

interface Facts {
  kind: RequestOutcome;
  status: number;
  error: string | null;
  model?: string;
  channel?: string | undefined;
  micros?: number;
}
