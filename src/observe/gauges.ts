// Metrics that are read from elsewhere at the moment they are rendered.
import type { Metrics } from "./metrics.ts";

const channelsMax = 200;
const modelsMax = 200;
const disabledKeysMax = 200;

/** Values read from elsewhere at the moment the metrics are rendered. */
export interface GaugeSources {
  version: string;
  streamsOpen(): number;
  upstreamsReadOn(): number;
  journalQueue(): number;
  journalOldestMs(): number;
  loopLag: { takeMaxSeconds(): number; meanSeconds(): number };
  rssBytes(): number;
  logDropped(): number;
  /** Micros held by requests and tasks. */
  heldMicros(): number;
  /** Losses since the process began. */
  losses(): readonly { model: string; channel: string; micros: number }[];
  /** Settlements that came a second time and were ignored. */
  closedTwice(): number;
  /** Open tasks by their state. */
  tasksOpen(): ReadonlyMap<string, number>;
  isReady(): boolean;
  /** Exports to collectors. */
  telemetry(): readonly TelemetryState[];
  startedAtSeconds: number;
  channels(): readonly { channel: string; isOut: boolean }[];
  /** Null where there is none. */
  redis: { isUp: boolean; calls: number; losses: number } | null;
  liveNodes(): number;
  /** Name of this node. */
  nodeName: string;
  /** The node's standing with others; undefined where there can be none. */
  standing: { leaseMs(): number; fences(): number } | undefined;
  /**
   * Versions of the topics that nodes change by turns, as far as this one has followed; null where
   * it is alone.
   */
  versions: ReadonlyMap<string, number> | null;
  /** Every key of every channel. */
  channelKeys(): readonly ChannelKeyState[];
}

export interface TelemetryState {
  signal: "traces" | "contents";
  sent: number;
  dropped: number;
}

interface ChannelKeyState {
  channel: string;
  /** The key's name for an operator. */
  key: string;
  isEnabled: boolean;
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

function watchNode(metrics: Metrics, { liveNodes, nodeName, standing }: GaugeSources): void {
  const live = { name: "sluice_nodes_live", help: "Nodes that are there, as this one counts." };
  metrics.watch("gauge", live, () => [{ value: liveNodes() }]);
  const info = { name: "sluice_node_info", help: "What this node is called among others." };
  metrics.watch("gauge", info, () => [{ labels: { node: nodeName }, value: 1 }]);
  if (!standing) return;
  const lease = { name: "sluice_node_lease_seconds", help: "How long this node may act yet." };
  metrics.watch("gauge", lease, () => [{ value: standing.leaseMs() / 1000 }]);
  const fences = {
    name: "sluice_node_fenced_total",
    help: "How often others have called this node dead.",
  };
  metrics.watch("counter", fences, () => [{ value: standing.fences() }]);
}

/** Nodes that show the same have the same in memory. */
function watchVersions(metrics: Metrics, { versions }: GaugeSources): void {
  if (versions === null) return;
  metrics.watch(
    "gauge",
    { name: "sluice_topic_version", help: "Changes that this node knows of, by topic." },
    () => Array.from(versions, ([topic, value]) => ({ labels: { topic }, value })),
  );
}

export function watchSources(metrics: Metrics, sources: GaugeSources): void {
  watchKeys(metrics, sources);
  watchMoney(metrics, sources);
  watchHealth(metrics, sources);
  watchTelemetry(metrics, sources);
  const { loopLag } = sources;
  function gauge(name: string, help: string, read: () => number): void {
    metrics.watch("gauge", { name, help }, () => [{ value: read() }]);
  }
  watchRedis(metrics, sources);
  watchNode(metrics, sources);
  watchVersions(metrics, sources);
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
  metrics.watch(
    "counter",
    { name: "sluice_log_dropped_total", help: "Usage log rows dropped because it was full." },
    () => [{ value: sources.logDropped() }],
  );
}

function watchMoney(metrics: Metrics, sources: GaugeSources): void {
  metrics.watch(
    "gauge",
    { name: "sluice_held_micros", help: "Micros that requests and tasks hold." },
    () => [{ value: sources.heldMicros() }],
  );
  metrics.watch(
    "counter",
    {
      name: "sluice_lost_micros_total",
      help: "Micros that vendors may charge and nobody pays, by model and channel.",
    },
    () => sumLosses(sources.losses()),
  );
  metrics.watch(
    "counter",
    { name: "sluice_ledger_closed_twice_total", help: "Second ends of one hold, ignored." },
    () => [{ value: sources.closedTwice() }],
  );
}

/** Models and channels are as many as the operator makes: past a bound they are one. */
function sumLosses(losses: ReturnType<GaugeSources["losses"]>) {
  const [models, channels] = [new Set<string>(), new Set<string>()];
  const sums = new Map<string, { labels: { model: string; channel: string }; value: number }>();
  for (const loss of losses) {
    const model = bounded(models, modelsMax, loss.model);
    const channel = bounded(channels, channelsMax, loss.channel);
    const key = `${model}\u0000${channel}`;
    const sum = sums.get(key) ?? { labels: { model, channel }, value: 0 };
    sum.value += loss.micros;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

function bounded(known: Set<string>, most: number, name: string): string {
  if (!known.has(name) && known.size >= most) return "other";
  known.add(name);
  return name;
}

function watchHealth(metrics: Metrics, sources: GaugeSources): void {
  function gauge(name: string, help: string, read: () => number): void {
    metrics.watch("gauge", { name, help }, () => [{ value: read() }]);
  }
  gauge("sluice_ready", "1 while paid work is taken, else 0.", () => (sources.isReady() ? 1 : 0));
  gauge(
    "sluice_start_time_seconds",
    "When the process began, in Unix seconds.",
    () => sources.startedAtSeconds,
  );
  gauge(
    "sluice_channels_ejected",
    "Channels taken out for failing.",
    () => sources.channels().filter(({ isOut }) => isOut).length,
  );
  metrics.watch(
    "gauge",
    { name: "sluice_channel_out", help: "1 for a channel that is taken out for failing, else 0." },
    () =>
      sources
        .channels()
        .slice(0, channelsMax)
        .map(({ channel, isOut }) => ({ labels: { channel }, value: isOut ? 1 : 0 })),
  );
  metrics.watch(
    "gauge",
    { name: "sluice_tasks_open", help: "Tasks that have not ended, by their state." },
    () => Array.from(sources.tasksOpen(), ([state, value]) => ({ labels: { state }, value })),
  );
}

function watchTelemetry(metrics: Metrics, { telemetry }: GaugeSources): void {
  metrics.watch(
    "counter",
    { name: "sluice_telemetry_kept_total", help: "Spans and contents that were sent or written." },
    () => telemetry().map(({ signal, sent }) => ({ labels: { signal }, value: sent })),
  );
  metrics.watch(
    "counter",
    { name: "sluice_telemetry_dropped_total", help: "Spans and contents that were dropped." },
    () => telemetry().map(({ signal, dropped }) => ({ labels: { signal }, value: dropped })),
  );
}
