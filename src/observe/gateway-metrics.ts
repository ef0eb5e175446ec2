// The metrics that the gateway keeps. Routes and token kinds hand out ready handles; nothing here
// is labelled by key, account or anything a client can make up.
import { watchSources, type GaugeSources } from "./gauges.ts";
import type { Counter, Family, Histogram } from "./instruments.ts";
import type { Metrics } from "./metrics.ts";
import type { OutcomeKind } from "./outcome.ts";

type TokenKind = "input" | "output" | "cache_read" | "cache_write" | "reasoning";

export interface RouteMetrics {
  readonly requests: Readonly<Record<OutcomeKind, Counter>>;
  readonly seconds: Histogram;
  readonly firstByteSeconds: Histogram;
}

export interface ModelMetrics {
  readonly requests: Readonly<Record<OutcomeKind, Counter>>;
  readonly inputTokens: Counter;
  readonly outputTokens: Counter;
  readonly spentMicros: Counter;
}

export interface ChannelMetrics {
  readonly inputTokens: Counter;
  readonly outputTokens: Counter;
  readonly spentMicros: Counter;
}

export interface GatewayMetrics {
  /** The handles of a model that a channel serves; get them once and keep them. */
  model(name: string): ModelMetrics;
  /** The same of a channel. */
  channel(name: string): ChannelMetrics;
  /** The handles of a route; get them once and keep them. */
  route(name: string): RouteMetrics;
  /** Labelled by channel name and outcome. */
  readonly attempts: Family<Counter>;
  /** Labelled by channel name. */
  readonly implausible: Family<Counter>;
  /** Labels: account and channel name. */
  readonly clampedMicros: Family<Counter>;
  readonly otherModels: Family<Counter>;
  /** Labelled by how the channel and key were chosen. */
  readonly affinity: Family<Counter>;
  /** Labelled by result. */
  readonly secondLooks: Family<Counter>;
  /** Labelled by cause. */
  readonly refusedCredentials: Family<Counter>;
  readonly tokens: Readonly<Record<TokenKind, Counter>>;
  readonly spentMicros: Counter;
  /** Labelled by kind and outcome. */
  readonly tasksEnded: Family<Counter>;
}

const routesMax = 100;
const channelsMax = 200;
const modelsMax = 200;
const accountsMax = 200;
const outcomesMax = 16;
const tokenKindsMax = 5;
const causesMax = 16;
const placingsMax = 16;
const lookResultsMax = 2;
const taskKindsMax = 16;
const requestBounds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600,
];
const firstByteBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const routeLabel = { name: "route", valuesMax: routesMax };
const outcomeLabel = { name: "outcome", valuesMax: outcomesMax };

export function createGatewayMetrics(metrics: Metrics, sources: GaugeSources): GatewayMetrics {
  const requests = metrics.counter({
    name: "sluice_requests_total",
    help: "Requests by route and how they ended.",
    labels: [routeLabel, outcomeLabel],
  });
  const seconds = metrics.histogram(
    {
      name: "sluice_request_seconds",
      help: "Time from the request's arrival to the end of its answer.",
      labels: [routeLabel],
    },
    requestBounds,
  );
  const firstByteSeconds = metrics.histogram(
    {
      name: "sluice_first_byte_seconds",
      help: "Time from the request's arrival to the first byte of its answer.",
      labels: [routeLabel],
    },
    firstByteBounds,
  );
  watchSources(metrics, sources);
  return {
    route: (name) => ({
      requests: {
        ok: requests.with(name, "ok"),
        client_abort: requests.with(name, "client_abort"),
        upstream_error: requests.with(name, "upstream_error"),
        gateway_error: requests.with(name, "gateway_error"),
        rejected: requests.with(name, "rejected"),
      },
      seconds: seconds.with(name),
      firstByteSeconds: firstByteSeconds.with(name),
    }),
    model: createModelMetrics(metrics),
    channel: createChannelMetrics(metrics),
    ...createUsageMetrics(metrics),
  };
}

const modelLabel = { name: "model", valuesMax: modelsMax };
const channelLabel = { name: "channel", valuesMax: channelsMax };
const kindLabel = { name: "kind", valuesMax: taskKindsMax };

function createModelMetrics(metrics: Metrics): GatewayMetrics["model"] {
  const requests = metrics.counter({
    name: "sluice_model_requests_total",
    help: "Requests that reached a channel, by model and how they ended.",
    labels: [modelLabel, outcomeLabel],
  });
  const tokens = metrics.counter({
    name: "sluice_model_tokens_total",
    help: "Tokens settled by model and kind.",
    labels: [modelLabel, { name: "kind", valuesMax: tokenKindsMax }],
  });
  const spent = metrics.counter({
    name: "sluice_model_spent_micros_total",
    help: "Micros charged for requests, by model.",
    labels: [modelLabel],
  });
  return (name) => ({
    requests: {
      ok: requests.with(name, "ok"),
      client_abort: requests.with(name, "client_abort"),
      upstream_error: requests.with(name, "upstream_error"),
      gateway_error: requests.with(name, "gateway_error"),
      rejected: requests.with(name, "rejected"),
    },
    inputTokens: tokens.with(name, "input"),
    outputTokens: tokens.with(name, "output"),
    spentMicros: spent.with(name),
  });
}

function createChannelMetrics(metrics: Metrics): GatewayMetrics["channel"] {
  const tokens = metrics.counter({
    name: "sluice_channel_tokens_total",
    help: "Tokens settled by channel and kind.",
    labels: [channelLabel, { name: "kind", valuesMax: tokenKindsMax }],
  });
  const spent = metrics.counter({
    name: "sluice_channel_spent_micros_total",
    help: "Micros charged for what a channel did.",
    labels: [channelLabel],
  });
  return (name) => ({
    inputTokens: tokens.with(name, "input"),
    outputTokens: tokens.with(name, "output"),
    spentMicros: spent.with(name),
  });
}

type UsageMetrics = Omit<GatewayMetrics, "route" | "model" | "channel">;

function createUsageMetrics(metrics: Metrics): UsageMetrics {
  const tokens = metrics.counter({
    name: "sluice_tokens_total",
    help: "Tokens settled by kind.",
    labels: [{ name: "kind", valuesMax: tokenKindsMax }],
  });
  return {
    attempts: metrics.counter({
      name: "sluice_upstream_attempts_total",
      help: "Attempts on upstream channels and how they ended.",
      labels: [channelLabel, outcomeLabel],
    }),
    implausible: metrics.counter({
      name: "sluice_implausible_usage_total",
      help: "Settlements whose usage, as the upstream told it, could not be, and was clamped.",
      labels: [channelLabel],
    }),
    clampedMicros: metrics.counter({
      name: "sluice_clamped_micros_total",
      help: "Micros that upstreams told of and nobody was charged for, by account and channel.",
      labels: [{ name: "account", valuesMax: accountsMax }, channelLabel],
    }),
    otherModels: metrics.counter({
      name: "sluice_other_model_total",
      help: "Replies that name another model than the one that was asked for.",
      labels: [channelLabel],
    }),
    affinity: metrics.counter({
      name: "sluice_affinity_total",
      help: "Requests of conversations that stay on one channel and key, by what came of that.",
      labels: [{ name: "result", valuesMax: placingsMax }],
    }),
    secondLooks: metrics.counter({
      name: "sluice_second_looks_total",
      help: "Prompts that were counted because their bytes could cost more than there was.",
      labels: [{ name: "result", valuesMax: lookResultsMax }],
    }),
    refusedCredentials: metrics.counter({
      name: "sluice_refused_credentials_total",
      help: "Credentials that were refused, by cause.",
      labels: [{ name: "cause", valuesMax: causesMax }],
    }),
    tokens: {
      input: tokens.with("input"),
      output: tokens.with("output"),
      cache_read: tokens.with("cache_read"),
      cache_write: tokens.with("cache_write"),
      reasoning: tokens.with("reasoning"),
    },
    spentMicros: metrics
      .counter({ name: "sluice_spent_micros_total", help: "Micros posted to the ledger." })
      .with(),
    tasksEnded: metrics.counter({
      name: "sluice_tasks_ended_total",
      help: "Tasks that have ended, by kind and how.",
      labels: [kindLabel, outcomeLabel],
    }),
  };
}
