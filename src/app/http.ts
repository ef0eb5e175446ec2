// The routes and the server in front of them, with what watches over both.
import type { Config } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { version } from "../core/version.ts";
import { assetRoutes } from "../http/assets.ts";
import { billingRoutes } from "../http/billing/routes.ts";
import { controlRoutes } from "../http/control.ts";
import { healthRoutes } from "../http/health.ts";
import { imageTaskRoutes } from "../http/image/task.ts";
import { imageRoutes } from "../http/images.ts";
import { imgFRoutes } from "../http/img-f/routes.ts";
import { mediaRoutes } from "../http/media.ts";
import { modelRoutes } from "../http/models.ts";
import { modelsHealthRoutes } from "../http/records/models-health.ts";
import { referenceRoutes } from "../http/reference/routes.ts";
import { Recorder } from "../http/recorder.ts";
import { RefusedCredentials } from "../http/refused-credentials.ts";
import { RouteTable } from "../http/route.ts";
import { HttpServer } from "../http/server.ts";
import { eraseRoutes } from "../http/session/erase.ts";
import { oauthRoutes } from "../http/session/oauth.ts";
import { sessionRoutes } from "../http/session/routes.ts";
import { secondFactorRoutes } from "../http/session/second-factor.ts";
import { textErrandRoutes } from "../http/text/errands.ts";
import { textRoutes } from "../http/text/routes.ts";
import { videoRoutes } from "../http/videos.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import { Limiter } from "../limits/limiter.ts";
import type { Media } from "../media/open-media.ts";
import { toRecord } from "../observe/queries.ts";
import type { Base } from "./base.ts";
import { controlNeeds, oauthNeeds } from "./control-needs.ts";
import type { Control } from "./control.ts";
import { expireAll } from "./expiry.ts";
import { createFlows, type Flows } from "./flows.ts";
import { readVitals } from "./vitals.ts";
import { createWatch, type ProcessWatch } from "./watch.ts";

export interface Http {
  server: HttpServer;
  flows: Flows;
  watch: ProcessWatch;
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
  const watch = createWatch(config, base, control);
  const { metrics, readOn, shedder, streams } = watch;
  const flows = createFlows(config, control, { media, metrics, readOn });
  expireAll(config, control, flows);
  const { log, deadlines, obstacles } = base;
  const { authenticator, sessions, secondFactors, adminSecondFactor, ids, ledger, live } = control;
  const { openCalls } = control;
  const { allowedHosts, publicUrl, trustProxy } = config.server;
  const clock = systemClock;
  const server = new HttpServer({
    clock,
    deadlines,
    bodyMs: config.server.bodyMs,
    ids,
    log,
    table: createTable(config, { base, control, flows, watch, oauth }),
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
    openCalls,
    recorder: new Recorder({
      clock,
      log,
      openCalls,
      logsRequests: config.log.requests,
      metrics,
      record(row) {
        ledger.record(toRecord(row), row.micros > 0);
        live.tell(row);
      },
    }),
    unknownModelStatus: config.distribution.unknownModelStatus,
    refused: new RefusedCredentials({ clock, log, counter: metrics.refusedCredentials }),
  });
  return { server, flows, watch };
}

interface TableNeeds {
  base: Base;
  control: Control;
  flows: Flows;
  watch: ProcessWatch;
  oauth: OAuth;
}

function createTable(config: Config, needs: TableNeeds): RouteTable {
  const { server } = config;
  const { base, control, flows, watch, oauth } = needs;
  const { text, videos, images, imgF, assets, media } = flows;
  const { textBodyBytesMax: bodyBytesMax } = server;
  const findObstacles = () => [
    ...base.obstacles,
    ...(control.ledger.isFaulted ? ["the journal cannot write"] : []),
    ...(watch.shedder.isShedding ? ["memory is short"] : []),
  ];
  const renderMetrics = () => watch.registry.render();
  const vitals = () => readVitals(config, needs);
  const controlled = controlNeeds(control, { version, obstacles: findObstacles, vitals });
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
    ...modelsHealthRoutes(controlled.records, server),
    ...sessionRoutes(control, server),
    ...secondFactorRoutes(control, server),
    ...eraseRoutes(controlled.erasing, server),
    ...oauthRoutes(oauthNeeds(control, oauth), server),
    ...referenceRoutes(() => table.routes),
  ]);
  return table;
}
