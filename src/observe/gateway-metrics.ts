// The metrics that the gateway keeps. Routes and token kinds hand out ready handles; nothing here
// is labelled by key, account or anything a client can make up.
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

export interface GatewayMetrics {
  /** The handles of a model that a channel serves; get them once and keep them. */
  model(name: string): ModelMetrics;
  /** The handles of a route; get them once and keep them. */
  route(name: string): RouteMetrics;
  /** By channel name and outcome. */
  readonly attempts: Family<Counter>;
  /** By channel name. */
  readonly implausible: Family<Counter>;
  /** By cause. */
  readonly refusedCredentials: Family<Counter>;
  readonly tokens: Readonly<Record<TokenKind, Counter>>;
  readonly spentMicros: Counter;
}

/** What is read from elsewhere at the moment the metrics are rendered. */
export interface GaugeSources {
  version: string;
  streamsOpen(): number;
  upstreamsReadOn(): number;
  journalQueue(): number;
  journalOldestMs(): number;
  loopLag: { takeMaxSeconds(): number; meanSeconds(): number };
  rssBytes(): number;
  channelsEjected(): number;
  logDropped(): number;
  /** Null where there is none. */
  redis: { isUp: boolean; calls: number; losses: number } | null;
  liveNodes(): number;
  /** Every key of every channel. */
  channelKeys(): readonly ChannelKeyState[];
}

interface ChannelKeyState {
  channel: string;
  /** By what an operator knows it. */
  key: string;
  isEnabled: boolean;
}

const routesMax = 100;
const channelsMax = 200;
const modelsMax = 200;
const disabledKeysMax = 200;
const outcomesMax = 16;
const tokenKindsMax = 5;
const causesMax = 16;
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
    ...createUsageMetrics(metrics),
  };
}

const modelLabel = { name: "model", valuesMax: modelsMax };

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

function createUsageMetrics(metrics: Metrics): Omit<GatewayMetrics, "route" | "model"> {
  const tokens = metrics.counter({
    name: "sluice_tokens_total",
    help: "Tokens settled by kind.",
    labels: [{ name: "kind", valuesMax: tokenKindsMax }],
  });
  return {
    attempts: metrics.counter({
      name: "sluice_upstream_attempts_total",
      help: "Attempts on upstream channels and how they ended.",
      labels: [{ name: "channel", valuesMax: channelsMax }, outcomeLabel],
    }),
    implausible: metrics.counter({
      name: "sluice_implausible_usage_total",
      help: "Settlements whose usage, as the upstream told it, could not be, and was clamped.",
      labels: [{ name: "channel", valuesMax: channelsMax }],
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
  };
}

/** Channels are as many as the operator makes, but a scrape must stay readable. */
function watchKeys(metrics: Metrics, { channelKeys }: GaugeSources): void {
  metrics.watch(
    "gauge",
    { name: "sluice_channel_keys", help: "Keys of a channel that may be used." },
    () => {
      const counts = new Map<string, number>();
      for (const { channel, isEnabled } of channelKeys()) {
        const name = counts.has(channel) || counts.size < channelsMax ? channel : "other";
        counts.set(name, (counts.get(name) ?? 0) + (isEnabled ? 1 : 0));
      }
      return Array.from(counts, ([channel, value]) => ({ labels: { channel }, value }));
    },
  );
  metrics.watch(
    "gauge",
    { name: "sluice_channel_key_disabled", help: "Keys that were disabled, each with a 1." },
    () =>
      channelKeys()
        .filter(({ isEnabled }) => !isEnabled)
        .slice(0, disabledKeysMax)
        .map(({ channel, key }) => ({ labels: { channel, key }, value: 1 })),
  );
}

/** Only where there is a Redis: an alarm on a link that nobody set up would never end. */
function watchRedis(metrics: Metrics, { redis }: GaugeSources): void {
  if (redis === null) return;
  const up = { name: "sluice_redis_up", help: "1 while limits are kept together in Redis." };
  metrics.watch("gauge", up, () => [{ value: redis.isUp ? 1 : 0 }]);
  const calls = { name: "sluice_redis_calls_total", help: "Calls to Redis." };
  metrics.watch("counter", calls, () => [{ value: redis.calls }]);
  const losses = { name: "sluice_redis_losses_total", help: "How often Redis was lost." };
  metrics.watch("counter", losses, () => [{ value: redis.losses }]);
}

function watchSources(metrics: Metrics, sources: GaugeSources): void {
  watchKeys(metrics, sources);
  watchRedis(metrics, sources);
  const { loopLag } = sources;
  function gauge(name: string, help: string, read: () => number): void {
    metrics.watch("gauge", { name, help }, () => [{ value: read() }]);
  }
  gauge("sluice_streams_open", "Streams open to clients.", () => sources.streamsOpen());
  gauge("sluice_upstreams_read_on", "Upstreams read on after their clients left.", () =>
    sources.upstreamsReadOn(),
  );
  gauge("sluice_journal_queue", "Ledger entries not yet written.", () => sources.journalQueue());
  gauge("sluice_journal_oldest_ms", "Age of the oldest entry not yet written.", () =>
    sources.journalOldestMs(),
  );
  metrics.watch(
    "gauge",
    {
      name: "sluice_event_loop_lag_seconds",
      help: "Lateness of the event loop: the worst since the last reading, and a moving mean.",
    },
    () => [
      { labels: { stat: "max" }, value: loopLag.takeMaxSeconds() },
      { labels: { stat: "mean" }, value: loopLag.meanSeconds() },
    ],
  );
  gauge("sluice_rss_bytes", "Resident memory of the process.", () => sources.rssBytes());
  metrics.watch("gauge", { name: "sluice_build_info", help: "The version that runs." }, () => [
    { labels: { version: sources.version }, value: 1 },
  ]);
  gauge("sluice_nodes_live", "Nodes that are there, as this one counts.", () =>
    sources.liveNodes(),
  );
  gauge("sluice_channels_ejected", "Channels taken out for failing.", () =>
    sources.channelsEjected(),
  );
  metrics.watch(
    "counter",
    { name: "sluice_log_dropped_total", help: "Usage log rows dropped because it was full." },
    () => [{ value: sources.logDropped() }],
  );
}
