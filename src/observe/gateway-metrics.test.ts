import { expect, test } from "bun:test";
import { createGatewayMetrics } from "./gateway-metrics.ts";
import type { GaugeSources } from "./gauges.ts";
import { createMetrics } from "./metrics.ts";

const sources: GaugeSources = {
  version: "1.2.3",
  streamsOpen: () => 4,
  upstreamsReadOn: () => 2,
  journalQueue: () => 5,
  journalOldestMs: () => 6,
  loopLag: { takeMaxSeconds: () => 0.25, meanSeconds: () => 0.001 },
  rssBytes: () => 7_000_000,
  heldMicros: () => 70,
  losses: () => [
    { model: "m", channel: "main", micros: 8 },
    { model: "m", channel: "", micros: 9 },
  ],
  closedTwice: () => 0,
  tasksOpen: () => new Map([["queued", 3]]),
  isReady: () => true,
  telemetry: () => [],
  startedAtSeconds: 1_700_000_000,
  channels: () => [
    { channel: "main", isOut: false },
    { channel: "spare", isOut: true },
  ],
  logDropped: () => 2,
  redis: null,
  liveNodes: () => 3,
  nodeName: "host/2",
  standing: { leaseMs: () => 7500, fences: () => 1 },
  versions: new Map([["identity", 4]]),
  channelKeys: () => [
    { channel: "main", key: "0:abcd", isEnabled: true },
    { channel: "main", key: "1:", isEnabled: false },
  ],
};

function setup() {
  const registry = createMetrics();
  const metrics = createGatewayMetrics(registry, sources);
  return { metrics, lines: () => registry.render().split("\n") };
}

test("what is read from elsewhere is rendered", () => {
  const lines = setup().lines();
  expect(lines).toContain("sluice_streams_open 4");
  expect(lines).toContain("sluice_upstreams_read_on 2");
  expect(lines).toContain("sluice_journal_queue 5");
  expect(lines).toContain("sluice_journal_oldest_ms 6");
  expect(lines).toContain('sluice_event_loop_lag_seconds{stat="max"} 0.25');
  expect(lines).toContain('sluice_event_loop_lag_seconds{stat="mean"} 0.001');
  expect(lines).toContain("sluice_rss_bytes 7000000");
  expect(lines).toContain('sluice_topic_version{topic="identity"} 4');
  expect(lines).toContain('sluice_build_info{version="1.2.3"} 1');
  expect(lines).toContain("sluice_channels_ejected 1");
  expect(lines).toContain('sluice_channel_out{channel="main"} 0');
  expect(lines).toContain('sluice_channel_out{channel="spare"} 1');
  expect(lines).toContain("sluice_held_micros 70");
  expect(lines).toContain('sluice_lost_micros_total{model="m",channel="main"} 8');
  expect(lines).toContain('sluice_lost_micros_total{model="m",channel=""} 9');
  expect(lines).toContain("sluice_ledger_closed_twice_total 0");
  expect(lines).toContain('sluice_tasks_open{state="queued"} 3');
  expect(lines).toContain("sluice_ready 1");
  expect(lines).toContain("sluice_start_time_seconds 1700000000");
  expect(lines).toContain("# TYPE sluice_log_dropped_total counter");
  expect(lines).toContain("sluice_log_dropped_total 2");
});

test("a route's requests are counted by how they ended, from zero on", () => {
  const { metrics, lines } = setup();
  const route = metrics.route("chat");
  route.requests.ok.add();
  route.requests.ok.add();
  route.requests.client_abort.add();
  expect(lines()).toContain('sluice_requests_total{route="chat",outcome="ok"} 2');
  expect(lines()).toContain('sluice_requests_total{route="chat",outcome="client_abort"} 1');
  expect(lines()).toContain('sluice_requests_total{route="chat",outcome="rejected"} 0');
});

test("the handles of a route are the same however often they are asked for", () => {
  const { metrics } = setup();
  expect(metrics.route("chat").seconds).toBe(metrics.route("chat").seconds);
  expect(metrics.route("chat").requests.ok).toBe(metrics.route("chat").requests.ok);
});

test("times are kept by route", () => {
  const { metrics, lines } = setup();
  metrics.route("chat").seconds.observe(0.2);
  metrics.route("chat").firstByteSeconds.observe(0.02);
  expect(lines()).toContain('sluice_request_seconds_bucket{route="chat",le="0.25"} 1');
  expect(lines()).toContain('sluice_request_seconds_sum{route="chat"} 0.2');
  expect(lines()).toContain('sluice_first_byte_seconds_bucket{route="chat",le="0.01"} 0');
  expect(lines()).toContain('sluice_first_byte_seconds_count{route="chat"} 1');
});

test("tokens and money are summed", () => {
  const { metrics, lines } = setup();
  metrics.tokens.input.add(1000);
  metrics.tokens.cache_read.add(50);
  metrics.spentMicros.add(123);
  expect(lines()).toContain('sluice_tokens_total{kind="input"} 1000');
  expect(lines()).toContain('sluice_tokens_total{kind="cache_read"} 50');
  expect(lines()).toContain("sluice_spent_micros_total 123");
});

test("the two hundred and first channel is counted as other", () => {
  const { metrics, lines } = setup();
  for (let at = 0; at < 250; at++) metrics.attempts.with(`channel ${at}`, "served").add();
  const shown = lines().filter((line) => line.startsWith("sluice_upstream_attempts_total"));
  expect(shown).toHaveLength(201);
  expect(shown).toContain('sluice_upstream_attempts_total{channel="other",outcome="served"} 50');
});

test("keys are counted by channel, and disabled ones are named", () => {
  const lines = setup().lines();
  expect(lines).toContain('sluice_channel_keys{channel="main"} 1');
  expect(lines).toContain('sluice_channel_key_disabled{channel="main",key="1:"} 1');
});

test("models past the cap are counted as others", () => {
  const { metrics, lines } = setup();
  for (let at = 0; at < 300; at++) metrics.model(`model-${at}`).spentMicros.add(1);
  const counted = lines().filter((line) => line.startsWith("sluice_model_spent_micros_total{"));
  expect(counted).toHaveLength(201);
  expect(counted).toContain('sluice_model_spent_micros_total{model="other"} 100');
});
