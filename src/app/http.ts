// The routes and the server in front of them, with what watches over both.
import type { Configuration } from "../admin/setting/needs.ts";
import type { Config } from "../config/config.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import { version } from "../core/version.ts";
import { lastFour } from "../distribution/channel.ts";
import { ReadOn } from "../gateway/stream/read-on.ts";
import { announcementRoutes } from "../http/records/announcements.ts";
import { assetRoutes } from "../http/assets.ts";
import { billingRoutes } from "../http/billing/routes.ts";
import { controlRoutes } from "../http/control.ts";
import { healthRoutes } from "../http/health.ts";
import { imageTaskRoutes } from "../http/image/task.ts";
import { imageRoutes } from "../http/images.ts";
import { imgFRoutes } from "../http/img-f/routes.ts";
import { ledgerRoutes } from "../http/records/ledger.ts";
import { mediaRoutes } from "../http/media.ts";
import { modelRoutes } from "../http/models.ts";
import { referenceRoutes } from "../http/reference/routes.ts";
import { Recorder } from "../http/recorder.ts";
import { RefusedCredentials } from "../http/refused-credentials.ts";
import { RouteTable } from "../http/route.ts";
import { HttpServer } from "../http/server.ts";
import { eraseRoutes } from "../http/session/erase.ts";
import { oauthRoutes } from "../http/session/oauth.ts";
import { linkRoutes, sessionRoutes } from "../http/session/routes.ts";
import { secondFactorRoutes } from "../http/session/second-factor.ts";
import { settingRoutes } from "../http/records/settings.ts";
import { OpenStreams } from "../http/stream-response.ts";
import { textErrandRoutes } from "../http/text/errands.ts";
import { textRoutes } from "../http/text/routes.ts";
import { videoRoutes } from "../http/videos.ts";
import { workRoutes } from "../http/records/work.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import { Limiter } from "../limits/limiter.ts";
import { HeapKeeper } from "../limits/heap-keeper.ts";
import { LoadShedder } from "../limits/shedding.ts";
import type { Media } from "../media/open-media.ts";
import { createGatewayMetrics, type GatewayMetrics } from "../observe/gateway-metrics.ts";
import { LoopLag } from "../observe/loop-lag.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import { toRecord } from "../observe/queries.ts";
import type { Base } from "./base.ts";
import { controlNeeds, oauthNeeds, workNeeds } from "./control-needs.ts";
import type { Control } from "./control.ts";
import { expireAll } from "./expiry.ts";
import { createFlows, type Flows } from "./flows.ts";

export interface Http {
  server: HttpServer;
  flows: Flows;
  watch: Watch;
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
  configuration: Configuration;
  /** Where people open the gateway. */
  baseUrl(): string;
}

export function createHttp(
  config: Config,
  base: Base,
  control: Control,
  { media, oauth, configuration, baseUrl }: Addressed,
): Http {
  const watch = createWatch(config, base, control);
  const { metrics, readOn, shedder, streams } = watch;
  const flows = createFlows(config, control, { media, metrics, readOn });
  expireAll(config, control, flows);
  const { log, deadlines, obstacles } = base;
  const { authenticator, sessions, secondFactors, adminSecondFactor, ids, ledger } = control;
  const { allowedHosts, publicUrl, trustProxy } = config.server;
  const clock = systemClock;
  const server = new HttpServer({
    clock,
    deadlines,
    bodyMs: config.server.bodyMs,
    ids,
    log,
    table: createTable(config, { base, control, flows, watch, oauth, configuration, baseUrl }),
    allowedHosts,
    access: {
      authenticator,
      sessions,
      secondFactors,
      adminSecondFactor,
      publicUrl,
      trustProxy,
    },
    limiter: new Limiter(clock),
    room: { shedder, streams, streamsMax: config.limits.streamsMax, obstacles },
    recorder: new Recorder({
      clock,
      log,
      logsRequests: config.log.requests,
      metrics,
      record: (row) => ledger.record(toRecord(row), row.micros > 0),
    }),
    unknownModelStatus: config.distribution.unknownModelStatus,
    refused: new RefusedCredentials({ clock, log, counter: metrics.refusedCredentials }),
  });
  return { server, flows, watch };
}

function createWatch(config: Config, base: Base, control: Control): Watch {
  const { deadlines, lostRecords } = base;
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
    channelsEjected: () =>
      channels.all.filter(({ health }) => health.isOut(systemClock.monotonicMs())).length,
    logDropped: () => ledger.recordsDropped + lostRecords(),
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
  configuration: Configuration;
  baseUrl(): string;
}

function createTable({ server }: Config, needs: TableNeeds): RouteTable {
  const { base, control, flows, watch, oauth, configuration, baseUrl } = needs;
  const { text, videos, images, imgF, assets, media } = flows;
  const { textBodyBytesMax: bodyBytesMax } = server;
  const findObstacles = () => [
    ...base.obstacles,
    ...(control.ledger.isFaulted ? ["the journal cannot write"] : []),
    ...(watch.shedder.isShedding ? ["memory is short"] : []),
  ];
  const renderMetrics = () => watch.registry.render();
  const controlled = controlNeeds(control, {
    version,
    obstacles: findObstacles,
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
    ...ledgerRoutes({ records: control, books: control.books }),
    ...settingRoutes({ configuration }),
    ...workRoutes(workNeeds(control, flows)),
    ...announcementRoutes(control),
    ...linkRoutes({ people: control, baseUrl }),
    ...sessionRoutes(control, server),
    ...secondFactorRoutes(control, server),
    ...eraseRoutes(controlled.erasing, server),
    ...oauthRoutes(oauthNeeds(control, oauth), server),
    ...referenceRoutes(() => table.routes),
  ]);
  return table;
}
