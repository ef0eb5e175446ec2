// Watch over the process: what is counted, and what is refused when there is too much.
import type { Config } from "../config/config.ts";
import { version } from "../core/version.ts";
import { lastFour } from "../distribution/channel.ts";
import { ReadOn } from "../gateway/stream/read-on.ts";
import { OpenStreams } from "../http/stream-response.ts";
import { HeapKeeper } from "../limits/heap-keeper.ts";
import { LoadShedder } from "../limits/shedding.ts";
import { createGatewayMetrics, type GatewayMetrics } from "../observe/gateway-metrics.ts";
import type { GaugeSources } from "../observe/gauges.ts";
import { LoopLag } from "../observe/loop-lag.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import type { Base } from "./base.ts";
import type { Control } from "./control.ts";
import { nodeNameOf } from "./nodes/self.ts";

/** Counters, and the refusal of load when there is too much. */
export interface ProcessWatch {
  streams: OpenStreams;
  readOn: ReadOn;
  /** Answers under an idempotency key, which are made on without their clients. */
  madeOn: ReadOn;
  shedder: LoadShedder;
  heap: HeapKeeper;
  registry: Metrics;
  metrics: GatewayMetrics;
  loopLag: LoopLag;
}

export function createWatch(
  config: Config,
  base: Base,
  control: Control,
  { isReady, tasksOpen, telemetry }: Pick<GaugeSources, "isReady" | "tasksOpen" | "telemetry">,
): ProcessWatch {
  const { deadlines, lostRecords, shared, machine } = base;
  const { clock, timers, rssBytes } = machine;
  const { ledger, channels } = control;
  const { keepAliveMs, writeStallMs } = config.timeouts;
  const streams = new OpenStreams({ deadlines, keepAliveMs, writeStallMs });
  const readOn = new ReadOn(deadlines, config.text);
  const { repeatReadOnMs: readOnMs, repeatBytesMax: readOnBytesMax, readOnMax } = config.text;
  const madeOn = new ReadOn(deadlines, { readOnMs, readOnBytesMax, readOnMax });
  const registry = createMetrics();
  const loopLag = new LoopLag(clock, timers);
  const metrics = createGatewayMetrics(registry, {
    version,
    streamsOpen: () => streams.size,
    upstreamsReadOn: () => readOn.size + madeOn.size,
    journalQueue: () => ledger.queueLength,
    journalOldestMs: () => ledger.oldestMs,
    loopLag,
    rssBytes,
    heldMicros: () => ledger.heldMicros,
    losses: () => ledger.losses.list(),
    closedTwice: () => ledger.closedTwice,
    tasksOpen,
    isReady,
    telemetry,
    startedAtSeconds: Math.floor(clock.nowMs() / 1000),
    channels: () =>
      channels.all.map(({ settings: { name: channel }, health }) => {
        return { channel, isOut: health.isOut(clock.monotonicMs()) };
      }),
    logDropped: () => ledger.recordsDropped + lostRecords(),
    redis: shared.link,
    liveNodes: () => shared.liveNodes(),
    nodeName: nodeNameOf(config),
    standing: control.bookkeeping.standing,
    versions: control.store.sharing?.known ?? null,
    channelKeys: () =>
      channels.all.flatMap(({ settings: { name: channel, keys } }) =>
        keys.map(({ position, text, isEnabled }) => {
          return { channel, key: `${position}:${lastFour(text)}`, isEnabled };
        }),
      ),
  });
  const { memoryBytesMax } = config.limits;
  const shedder = new LoadShedder({ rssBytes, memoryBytesMax, timers });
  const heap = new HeapKeeper({ rssBytes, collect: () => Bun.gc(true), timers });
  return { streams, readOn, madeOn, shedder, heap, registry, metrics, loopLag };
}
