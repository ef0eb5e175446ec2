// Puts requests on record when they are finished: metrics, the usage log, the request line.
import type { Clock } from "../core/clock.ts";
import { timeOfOwnId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { OpenCalls } from "../gateway/open-calls.ts";
import type { RequestOutcome } from "../gateway/outcome.ts";
import type { TextCapture } from "../gateway/text/capture.ts";
import type { Caller } from "../identity/caller.ts";
import type {
  ChannelMetrics,
  GatewayMetrics,
  ModelMetrics,
  RouteMetrics,
} from "../observe/gateway-metrics.ts";
import { encodeMembers } from "../observe/chain-note.ts";
import { encodeCandidates } from "../observe/candidate-note.ts";
import type { Captures } from "../observe/capture/captures.ts";
import type { ContentLog } from "../observe/content/content-log.ts";
import type { RequestTrace } from "../observe/otlp/request-trace.ts";
import type { Tracer } from "../observe/otlp/tracer.ts";
import { writeFailedChannels, type UsageRecord } from "../observe/usage-row.ts";
import type { ClientCall, CallRecorder } from "./client/client-call.ts";

interface RecorderNeeds {
  clock: Clock;
  log: Log;
  logsRequests: boolean;
  metrics: GatewayMetrics;
  /** Null where nothing is traced. */
  tracer: Tracer | null;
  openCalls: OpenCalls;
  /** Null where no contents are kept. */
  contents: ContentLog | null;
  captures: Pick<Captures, "keep">;
  /** Has it written with what was booked for the request in the same step. */
  record(row: UsageRecord): void;
}

/** Past these they are counted together. */
const modelsMax = 1000;
const channelsMax = 1000;

export class Recorder implements CallRecorder {
  readonly #needs: RecorderNeeds;
  readonly #routes = new Map<string, RouteMetrics>();
  readonly #models = new Map<string, ModelMetrics>();
  readonly #channels = new Map<string, ChannelMetrics>();

  constructor(needs: RecorderNeeds) {
    this.#needs = needs;
  }

  finished(call: ClientCall, outcome: RequestOutcome): void {
    const latencyMs = this.#needs.clock.monotonicMs() - call.scope.startedAtMs;
    const route = this.#route(call.route);
    route.requests[outcome.kind].add(1);
    route.seconds.observe(latencyMs / 1000);
    this.#writeLine(call, outcome, latencyMs);
    if (call.payer) {
      this.#needs.openCalls.closed(call);
      this.#recordPaid(call, call.payer, outcome, latencyMs);
    }
    if (call.content) {
      this.#keepContent(call, call.content, outcome);
      this.#capture(call, call.content);
    }
    if (call.scope.trace) this.#trace(call, call.scope.trace, outcome);
  }

  #keepContent(call: ClientCall, content: TextCapture, outcome: RequestOutcome): void {
    const { caller, scope, channel } = call;
    if (!caller.logsContent) return;
    this.#needs.contents?.add({
      time: new Date(this.#needs.clock.nowMs()).toISOString(),
      request: scope.requestId,
      account: caller.accountId,
      key: caller.keyId,
      route: call.route,
      model: call.model,
      channel: channel?.settings.name ?? null,
      stream: call.stream,
      status: outcome.status,
      outcome: outcome.kind,
      prompt: [...content.prompt],
      answer: content.answer,
      cut: content.isCut,
    });
  }

  #capture({ caller, scope, channel, failedChannels }: ClientCall, content: TextCapture): void {
    if (!content.order) return;
    this.#needs.captures.keep({
      order: content.order,
      requestId: scope.requestId,
      accountId: caller.accountId,
      channelIds: channel ? [...failedChannels, channel.settings.id] : failedChannels,
      content: content.both,
    });
  }

  #trace(call: ClientCall, trace: RequestTrace, outcome: RequestOutcome): void {
    const { clock, tracer } = this.#needs;
    const { scope, method, route, model, stream, taskId, payer } = call;
    tracer?.finished({
      trace,
      requestId: scope.requestId,
      method,
      route,
      isPaid: payer !== null,
      model,
      stream,
      channel: call.channel?.settings.name ?? null,
      accountId: payer?.accountId ?? null,
      keyId: payer?.keyId ?? null,
      taskId,
      outcome,
      startedAtMs: scope.startedAtMs,
      endedAtMs: clock.monotonicMs(),
      nowMs: clock.nowMs(),
    });
  }

  /** Record a call that starts paid work on the usage log, also where it was refused. */
  #recordPaid(call: ClientCall, caller: Caller, outcome: RequestOutcome, latencyMs: number): void {
    const { usage, firstByteMs } = outcome;
    const { scope, channel } = call;
    const { metrics } = this.#needs;
    if (firstByteMs !== null) this.#route(call.route).firstByteSeconds.observe(firstByteMs / 1000);
    if (usage) {
      metrics.tokens.input.add(usage.inputTokens);
      metrics.tokens.output.add(usage.outputTokens);
      metrics.tokens.cache_read.add(usage.cacheReadTokens);
      metrics.tokens.cache_write.add(usage.cacheWriteTokens);
      metrics.tokens.reasoning.add(usage.reasoningTokens);
    }
    metrics.spentMicros.add(outcome.micros);
    if (call.affinity) metrics.affinity.with(call.affinity.replace(": ", "_")).add();
    // A call that reached a channel has a name that an operator gave.
    if (channel) {
      this.#countModel(call.model, outcome);
      this.#countChannel(channel.settings.name, outcome);
      channel.countCost(outcome.costMicros ?? outcome.micros, this.#needs.clock);
    }
    this.#needs.record({
      id: scope.requestId,
      at_ms: timeOfOwnId(scope.requestId),
      account_id: caller.accountId,
      key_id: caller.keyId,
      key_name: caller.keyName,
      group_name: caller.group,
      route: call.route,
      model: call.model,
      channel_id: channel?.settings.id ?? null,
      channel_name: channel?.settings.name ?? null,
      status: outcome.status,
      outcome: outcome.kind,
      stream: call.stream ? 1 : 0,
      input_tokens: usage?.inputTokens ?? 0,
      output_tokens: usage?.outputTokens ?? 0,
      cache_read_tokens: usage?.cacheReadTokens ?? 0,
      cache_write_tokens: usage?.cacheWriteTokens ?? 0,
      reasoning_tokens: usage?.reasoningTokens ?? 0,
      estimated: outcome.isEstimated ? 1 : 0,
      micros: outcome.micros,
      latency_ms: Math.round(latencyMs),
      first_byte_ms: firstByteMs === null ? null : Math.round(firstByteMs),
      attempts: call.attempts,
      ip: call.ip,
      error_code: outcome.errorCode,
      kind: "request",
      images: outcome.images,
      media_ms: 0,
      task_id: call.taskId,
      failed_attempts: call.failedChannels.length,
      failed_channels: writeFailedChannels(call.failedChannels),
      converted: call.converted,
      candidates: encodeCandidates(call.candidates),
      trace_id: scope.trace?.isSampled ? scope.trace.traceId : null,
      affinity: call.affinity,
      cost_micros: outcome.costMicros ?? null,
      asked_model: call.askedModel,
      served_model: call.chain?.served ?? null,
      chain: encodeMembers(call.chain),
      waited_ms: call.waitedMs,
      replay_of: call.replayOf,
      label: call.label,
      error_message: outcome.errorMessage,
      error_detail: outcome.errorDetail,
      trail: call.trail,
    });
  }

  #countModel(model: string, { kind, usage, micros }: RequestOutcome): void {
    let counted = this.#models.get(model);
    if (!counted) {
      counted = this.#needs.metrics.model(model);
      if (this.#models.size < modelsMax) this.#models.set(model, counted);
    }
    counted.requests[kind].add(1);
    if (usage) {
      counted.inputTokens.add(usage.inputTokens);
      counted.outputTokens.add(usage.outputTokens);
    }
    counted.spentMicros.add(micros);
  }

  #countChannel(name: string, { usage, micros }: RequestOutcome): void {
    let counted = this.#channels.get(name);
    if (!counted) {
      counted = this.#needs.metrics.channel(name);
      if (this.#channels.size < channelsMax) this.#channels.set(name, counted);
    }
    if (usage) {
      counted.inputTokens.add(usage.inputTokens);
      counted.outputTokens.add(usage.outputTokens);
    }
    counted.spentMicros.add(micros);
  }

  #writeLine(call: ClientCall, outcome: RequestOutcome, latencyMs: number): void {
    const { log, logsRequests } = this.#needs;
    const { kind, status, errorCode: error, micros } = outcome;
    if (!logsRequests && kind !== "gateway_error" && kind !== "upstream_error") return;
    const { scope, method, path, model, channel } = call;
    log.info("request", {
      request: scope.requestId,
      method,
      path,
      outcome: kind,
      status,
      error,
      ...(call.payer && { model, channel: channel?.settings.name, micros }),
      ms: Math.round(latencyMs),
    });
  }

  #route(name: string): RouteMetrics {
    let metrics = this.#routes.get(name);
    if (!metrics) this.#routes.set(name, (metrics = this.#needs.metrics.route(name)));
    return metrics;
  }
}
