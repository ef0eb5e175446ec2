// The routes and the server in front of them, with what watches over both.
import type { Config } from "../config/config.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import { version } from "../core/version.ts";
import { lastFour } from "../distribution/channel.ts";
import { ReadOn } from "../gateway/stream/read-on.ts";
import { assetRoutes } from "../http/assets.ts";
import { billingRoutes } from "../http/billing/routes.ts";
import { consoleRoutes } from "../http/console/routes.ts";
import { controlRoutes } from "../http/control.ts";
import { healthRoutes } from "../http/health.ts";
import { imageTaskRoutes } from "../http/image/task.ts";
import { imageRoutes } from "../http/images.ts";
import { imgFRoutes } from "../http/img-f/routes.ts";
import { mediaRoutes } from "../http/media.ts";
import { modelRoutes } from "../http/models.ts";
import { referenceRoutes } from "../http/reference/routes.ts";
import { Recorder } from "../http/recorder.ts";
import { RefusedCredentials } from "../http/refused-credentials.ts";
import { RouteTable } from "../http/route.ts";
import { HttpServer } from "../http/server.ts";
import { eraseRoutes } from "../http/session/erase.ts";
import { oauthRoutes } from "../http/session/oauth.ts";
import { sessionRoutes } from "../http/session/routes.ts";
import { siteRoutes } from "../http/session/site.ts";
import { secondFactorRoutes } from "../http/session/second-factor.ts";
import { OpenStreams } from "../http/stream-response.ts";
import { textErrandRoutes } from "../http/text/errands.ts";
import { textRoutes } from "../http/text/routes.ts";
import { videoRoutes } from "../http/videos.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import { HeapKeeper } from "../limits/heap-keeper.ts";
import { LoadShedder } from "../limits/shedding.ts";
import type { Media } from "../media/open-media.ts";
import { createGatewayMetrics, type GatewayMetrics } from "../observe/gateway-metrics.ts";
import type { GaugeSources } from "../observe/gauges.ts";
import { LoopLag } from "../observe/loop-lag.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import { toRecord } from "../observe/queries.ts";
import type { Base } from "./base.ts";
import { controlNeeds, oauthNeeds, siteNeeds } from "./control-needs.ts";
import type { Control } from "./control.ts";
import { expireAll } from "./expiry.ts";
import { createFlows, type Flows } from "./flows.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export interface Http {
  server: HttpServer;
  flows: Flows;
  watch: Watch;
  telemetry: Telemetry;
}

/** What is counted, and what is refused when there is too much. */
interface Watch {
  streams: OpenStreams;
  readOn: ReadOn;
  shedder: LoadShedder;
  heap: HeapKeeper;
  registry: Metrics;
  metrics: GatewayMetrics;
}

/** What the address of the gateway is part of. */
interface Addressed {
  media: Media;
  oauth: OAuth;
}

export function createHttp(
  config: Config,
  base: Base,
  control: Control,
  { media, oauth }: Addressed,
): Http {
  const findObstacles = () => [
    ...base.obstacles,
    ...(control.ledger.isFaulted ? ["the journal cannot write"] : []),
    ...(watch.shedder.isShedding ? ["memory is short"] : []),
  ];
  const telemetry = createTelemetry(config, control);
  const { tracer, contents } = telemetry;
  const watch: Watch = createWatch(config, base, control, {
    telemetry: telemetry.states,
    isReady: () => findObstacles().length === 0,
    tasksOpen: () => flows.tasks.book.countByState(),
  });
  const { metrics, readOn, shedder, streams } = watch;
  const flows: Flows = createFlows(config, control, {
    media,
    metrics,
    readOn,
    shared: base.shared,
  });
  expireAll(config, control, flows, telemetry);
  const { log, deadlines, obstacles } = base;
  const { authenticator, sessions, secondFactors, adminSecondFactor, ids, ledger, live } = control;
  const { openCalls, keyUse } = control;
  const { allowedHosts, publicUrl, trustProxy } = config.server;
  const clock = systemClock;
  const server = new HttpServer({
    clock,
    deadlines,
    bodyMs: config.server.bodyMs,
    ids,
    log,
    table: createTable(config, { base, control, flows, watch, oauth, findObstacles }),
    allowedHosts,
    access: {
      authenticator,
      sessions,
      secondFactors,
      adminSecondFactor,
      publicUrl,
      trustProxy,
    },
    limits: base.shared.limits,
    room: { shedder, streams, streamsMax: config.limits.streamsMax, obstacles },
    openCalls,
    recorder: new Recorder({
      clock,
      log,
      openCalls,
      logsRequests: config.log.requests,
      metrics,
      tracer,
      contents,
      record(row) {
        keyUse.note(row.keyId, row.atMs);
        ledger.record(toRecord(row), row.micros > 0);
        live.tell(row);
      },
    }),
    tracer,
    unknownModelStatus: config.distribution.unknownModelStatus,
    refused: new RefusedCredentials({ clock, log, counter: metrics.refusedCredentials }),
  });
  return { server, flows, watch, telemetry };
}

function createWatch(
  config: Config,
  base: Base,
  control: Control,
  { isReady, tasksOpen, telemetry }: Pick<GaugeSources, "isReady" | "tasksOpen" | "telemetry">,
): Watch {
  const { deadlines, lostRecords, shared } = base;
  const { ledger, channels } = control;
  const { keepAliveMs, writeStallMs } = config.timeouts;
  const streams = new OpenStreams({ deadlines, keepAliveMs, writeStallMs });
  const readOn = new ReadOn(deadlines, config.text);
  // Not `memoryUsage.rss()`: asking for the whole also has the runtime look at its heap, without
  // which a burst of streams leaves a limit so high that garbage piles up to a gigabyte.
  const rssBytes = () => process.memoryUsage().rss;
  const registry = createMetrics();
  const metrics = createGatewayMetrics(registry, {
    version,
    streamsOpen: () => streams.size,
    upstreamsReadOn: () => readOn.size,
    journalQueue: () => ledger.queueLength,
    journalOldestMs: () => ledger.oldestMs,
    loopLag: new LoopLag(systemClock, systemTimers),
    rssBytes,
    heldMicros: () => ledger.heldMicros,
    losses: () => ledger.losses.list(),
    closedTwice: () => ledger.closedTwice,
    tasksOpen,
    isReady,
    telemetry,
    startedAtSeconds: Math.floor(systemClock.nowMs() / 1000),
    channels: () =>
      channels.all.map(({ settings: { name: channel }, health }) => {
        return { channel, isOut: health.isOut(systemClock.monotonicMs()) };
      }),
    logDropped: () => ledger.recordsDropped + lostRecords(),
    redis: shared.link,
    liveNodes: () => shared.liveNodes(),
    channelKeys: () =>
      channels.all.flatMap(({ settings: { name: channel, keys } }) =>
        keys.map(({ position, text, isEnabled }) => {
          return { channel, key: `${position}:${lastFour(text)}`, isEnabled };
        }),
      ),
  });
  const { memoryBytesMax } = config.limits;
  const shedder = new LoadShedder({ rssBytes, memoryBytesMax, timers: systemTimers });
  const heap = new HeapKeeper({ rssBytes, collect: () => Bun.gc(true), timers: systemTimers });
  return { streams, readOn, shedder, heap, registry, metrics };
}

interface TableNeeds {
  base: Base;
  control: Control;
  flows: Flows;
  watch: Watch;
  oauth: OAuth;
  findObstacles(): string[];
}

function createTable(config: Config, needs: TableNeeds): RouteTable {
  const { server, site, distribution } = config;
  const { base, control, flows, watch, oauth, findObstacles } = needs;
  const { text, videos, images, imgF, assets, media } = flows;
  const { textBodyBytesMax: bodyBytesMax } = server;
  const renderMetrics = () => watch.registry.render();
  const controlled = controlNeeds(control, {
    version,
    obstacles: findObstacles,
    shared: base.shared,
    attemptsMax: distribution.attemptsMax,
  });
  const table: RouteTable = new RouteTable([
    ...textRoutes(text.serving, bodyBytesMax),
    ...textErrandRoutes({ counting: text.counting, stored: text.stored, bodyBytesMax }),
    ...modelRoutes({
      channels: control.channels,
      prices: control.prices,
      catalogue: control.catalogue,
    }),
    ...videoRoutes(videos),
    ...imageRoutes(images.awaited),
    ...imageTaskRoutes(images.asTasks),
    ...imgFRoutes(imgF),
    ...mediaRoutes(media),
    ...assetRoutes(assets),
    ...billingRoutes(control),
    ...healthRoutes({ obstacles: findObstacles, renderMetrics }),
    ...controlRoutes(controlled),
    ...sessionRoutes(control, server),
    ...secondFactorRoutes(control, server),
    ...eraseRoutes(controlled.erasing, server),
    ...oauthRoutes(oauthNeeds(control, oauth), server),
    ...siteRoutes({ site: siteNeeds(control, { site, oauth, version }), models: control }, server),
    ...referenceRoutes(() => table.routes),
    ...consoleRoutes(config.console),
  ]);
  return table;
}
