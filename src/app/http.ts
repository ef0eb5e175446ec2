// The routes and the server in front of them, with what watches over both.
import type { Configuration } from "../admin/setting/needs.ts";
import type { Config } from "../config/config.ts";
import { version } from "../core/version.ts";
import { captureRoutes } from "../http/records/capture.ts";
import { announcementRoutes } from "../http/records/announcements.ts";
import { ClientAddresses } from "../http/client/client-address.ts";
import { assetRoutes } from "../http/assets.ts";
import { budgetRoutes } from "../http/billing/budget.ts";
import { billingRoutes } from "../http/billing/routes.ts";
import { consoleRoutes } from "../http/console/routes.ts";
import { controlRoutes } from "../http/control.ts";
import { healthRoutes, type Readiness } from "../http/health.ts";
import { predictImages } from "../http/image/predict.ts";
import { imageTaskRoutes } from "../http/image/task.ts";
import { imageRoutes } from "../http/images.ts";
import { imgFRoutes } from "../http/img-f/routes.ts";
import { ledgerRoutes } from "../http/records/ledger.ts";
import { mediaRoutes } from "../http/media.ts";
import { modelRoutes } from "../http/models.ts";
import { importRunRoutes } from "../http/records/import-runs.ts";
import { secretRoutes } from "../http/records/secrets.ts";
import { nodeRoutes } from "../http/records/nodes.ts";
import { mailTestRoutes, noticeRoutes } from "../http/records/notices.ts";
import { modelsHealthRoutes } from "../http/records/models-health.ts";
import { referenceRoutes } from "../http/reference/routes.ts";
import { Recorder } from "../http/recorder.ts";
import { RefusedCredentials } from "../http/refused-credentials.ts";
import { RouteTable } from "../http/route.ts";
import { HttpServer } from "../http/server.ts";
import { ResponseSockets } from "../http/sockets/response-sockets.ts";
import { backupRoutes } from "../http/session/backups.ts";
import { eraseRoutes } from "../http/session/erase.ts";
import { mailRoutes } from "../http/session/mail.ts";
import { oauthRoutes } from "../http/session/oauth.ts";
import { linkRoutes, sessionRoutes } from "../http/session/routes.ts";
import { pageKeyRoutes } from "../http/session/page-key.ts";
import { siteRoutes } from "../http/session/site.ts";
import { secondFactorRoutes } from "../http/session/second-factor.ts";
import { settingRoutes } from "../http/records/settings.ts";
import { textAuxiliaryRoutes } from "../http/text/auxiliary.ts";
import { textRoutes } from "../http/text/routes.ts";
import { videoRoutes } from "../http/videos.ts";
import { workRoutes } from "../http/records/work.ts";
import type { OAuth } from "../identity/oauth/index.ts";
import type { Media } from "../media/open-media.ts";
import type { GatewayMetrics } from "../observe/gateway-metrics.ts";
import { toRecord } from "../observe/queries.ts";
import { createImports } from "./import/create.ts";
import type { ImportDesk } from "./import/desk.ts";
import { createSecrets, type SecretDesk } from "./secret/desk.ts";
import { howToBackUp } from "./backup/database.ts";
import { BackupDesk } from "./backup/desk.ts";
import { backupSourceOf } from "./backup/take.ts";
import type { Base } from "./base.ts";
import { controlNeeds, oauthNeeds, siteNeeds, workNeeds } from "./control-needs.ts";
import type { Control } from "./control.ts";
import { expireAll } from "./expiry.ts";
import { createFlows, type Flows } from "./flows.ts";
import { createNotices, type NoticeDesk } from "./notices.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";
import { createReadiness } from "./readiness.ts";
import { readVitals } from "./vitals.ts";
import { createWatch, type ProcessWatch } from "./watch.ts";

export interface Http {
  server: HttpServer;
  sockets: ResponseSockets;
  flows: Flows;
  watch: ProcessWatch;
  telemetry: Telemetry;
  notices: NoticeDesk;
  backups: BackupDesk;
  imports: ImportDesk;
  secrets: SecretDesk;
}

/** Parts that contain the gateway's address. */
interface Addressed {
  media: Media;
  oauth: OAuth;
  configuration: Configuration;
  /** Address at which people open the gateway. */
  baseUrl(): string;
}

export function createHttp(
  config: Config,
  base: Base,
  control: Control,
  { media, oauth, configuration, baseUrl }: Addressed,
): Http {
  const readiness = createReadiness({ base, control, watch: () => watch });
  const telemetry = createTelemetry(config, control);
  const { tracer } = telemetry;
  const watch: ProcessWatch = createWatch(config, base, control, {
    telemetry: telemetry.states,
    isReady: () => readiness().obstacles.length === 0,
    tasksOpen: () => flows.tasks.book.countByState(),
  });
  const { metrics, readOn, madeOn, shedder, streams } = watch;
  const flows: Flows = createFlows(config, control, {
    media,
    metrics,
    readOn,
    madeOn,
    shared: base.shared,
    tracer,
  });
  const notices = createNotices(config, control, media.fetch);
  const backups = createBackups(config, control, configuration.path);
  const imports = createImports(config, control);
  const secrets = createSecrets(config, control);
  expireAll(config, control, flows, telemetry);
  const { log, deadlines, obstacles } = base;
  const { ids, openCalls, clock } = control;
  const { allowedHosts, trustProxy } = config.server;
  const sockets = createSockets(config, base);
  const server = new HttpServer({
    clock,
    deadlines,
    bodyMs: config.server.bodyMs,
    ids,
    log,
    table: createTable(config, {
      base,
      control,
      flows,
      watch,
      oauth,
      readiness,
      configuration,
      notices,
      backups,
      imports,
      secrets,
      baseUrl,
    }),
    allowedHosts,
    addresses: new ClientAddresses({ trustsProxy: trustProxy, soon: base.machine.soon }),
    access: accessNeeds(config, control),
    limits: base.shared.limits,
    room: { shedder, streams, limits: config.limits, sockets, obstacles },
    watching: {
      recorder: createRecorder(config, control, { metrics, telemetry }),
      tracer,
      openCalls,
    },
    distribution: config.distribution,
    refused: new RefusedCredentials({ clock, log, counter: metrics.refusedCredentials }),
  });
  return { server, sockets, flows, watch, telemetry, notices, backups, imports, secrets };
}

function accessNeeds(
  { server: { publicUrl, trustProxy } }: Config,
  { authenticator, sessions, secondFactors, signInRules, organisations }: Control,
) {
  return {
    authenticator,
    sessions,
    secondFactors,
    signInRules,
    organisations,
    publicUrl,
    trustProxy,
  };
}

function createSockets({ server, timeouts }: Config, { deadlines }: Base): ResponseSockets {
  const { textBodyBytesMax: frameBytesMax } = server;
  return new ResponseSockets({ frameBytesMax, writeStallMs: timeouts.writeStallMs, deadlines });
}

function createBackups(
  config: Config,
  { machine, clock, log }: Control,
  configPath: string | null,
): BackupDesk {
  const isHere = config.databaseUrl === null;
  return new BackupDesk({
    source: backupSourceOf(config),
    elsewhere: isHere ? null : howToBackUp(config, "sluice.dump"),
    configPath,
    clock,
    timers: machine.timers,
    log,
  });
}

function createRecorder(
  config: Config,
  { ledger, live, openCalls, keyUse, captures, log, clock }: Control,
  { metrics, telemetry }: { metrics: GatewayMetrics; telemetry: Telemetry },
): Recorder {
  const { tracer, contents } = telemetry;
  return new Recorder({
    clock,
    log,
    openCalls,
    logsRequests: config.log.requests,
    metrics,
    tracer,
    contents,
    captures,
    record(row) {
      keyUse.note(row.key_id, row.at_ms);
      ledger.record(toRecord(row), row.micros > 0);
      live.tell(row);
    },
  });
}

interface TableNeeds {
  base: Base;
  control: Control;
  flows: Flows;
  watch: ProcessWatch;
  oauth: OAuth;
  readiness(): Readiness;
  configuration: Configuration;
  notices: NoticeDesk;
  backups: BackupDesk;
  imports: ImportDesk;
  secrets: SecretDesk;
  baseUrl(): string;
}

function createTable(config: Config, needs: TableNeeds): RouteTable {
  const { server, site, distribution, text: bounds } = config;
  const { base, control, flows, watch, oauth, readiness } = needs;
  const { configuration, notices, backups, imports, secrets, baseUrl } = needs;
  const { text, videos, images, imgF, assets, media } = flows;
  const { mailDesk } = control;
  const { textBodyBytesMax: bodyBytesMax } = server;
  const renderMetrics = () => watch.registry.render();
  const controlled = controlNeeds(control, {
    version,
    obstacles: () => readiness().obstacles,
    shared: base.shared,
    vitals: () => readVitals(config, needs),
    distribution,
    acceptsUrl: (url) => media.fetch.accepts(url),
    bounds,
  });
  const table: RouteTable = new RouteTable([
    ...textRoutes(text.serving, {
      bodyBytesMax,
      takesSockets: bounds.responseSockets,
      repeats: text.repeats,
      predictImages: predictImages(images.awaited),
    }),
    ...textAuxiliaryRoutes({ counting: text.counting, stored: text.stored, bodyBytesMax }),
    ...modelRoutes({
      channels: control.channels,
      virtualModels: control.virtualModels,
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
    ...budgetRoutes(control),
    ...healthRoutes({ readiness, renderMetrics }),
    ...controlRoutes(controlled),
    ...modelsHealthRoutes({ records: controlled.records, models: control, site }),
    ...ledgerRoutes({ records: control, books: control.books }),
    ...settingRoutes({ noting: control, seal: control.seal, configuration }),
    ...nodeRoutes(control.bookkeeping),
    ...mailTestRoutes({ sender: mailDesk?.sender ?? null, site }),
    ...noticeRoutes({ noting: control, sender: notices.sender }),
    ...workRoutes(workNeeds(control, flows)),
    ...announcementRoutes(control),
    ...captureRoutes(control),
    ...linkRoutes({ people: control, baseUrl }, server),
    ...sessionRoutes(control, server),
    ...mailRoutes(control, server),
    ...secondFactorRoutes(control, server),
    ...backupRoutes({ people: control, backups }, server),
    ...importRunRoutes({ noting: control, runs: imports }),
    ...secretRoutes({ noting: control, secrets }),
    ...eraseRoutes(controlled.organisations.erasing, server),
    ...oauthRoutes(oauthNeeds(control, oauth), server),
    ...pageKeyRoutes(control),
    ...siteRoutes({ site: siteNeeds(control, { site, oauth, version }), models: control }, server),
    ...referenceRoutes(() => table.routes),
    ...consoleRoutes(config.console),
  ]);
  return table;
}
