// The composition root: the only place where the parts are made and wired.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyDeclared, type DeclaredKeyMade } from "./admin/declared.ts";
import { ensureRoot, type Generated } from "./admin/first-run.ts";
import type { ControlParts } from "./admin/parts.ts";
import { Assets } from "./assets/assets.ts";
import type { Config } from "./config/config.ts";
import { systemClock, systemTimers } from "./core/clock.ts";
import { Deadlines } from "./core/deadline.ts";
import { createIds } from "./core/ids.ts";
import { describe, type Log } from "./core/log.ts";
import { send } from "./core/outbound.ts";
import { systemRandom } from "./core/random.ts";
import { createSeal } from "./core/seal.ts";
import { version } from "./core/version.ts";
import { Channels } from "./distribution/channels.ts";
import { Origins } from "./distribution/origins.ts";
import { setKeyStatus } from "./distribution/queries.ts";
import { sandboxChannels } from "./distribution/sandbox-channels.ts";
import { RetryBudget } from "./distribution/retry-budget.ts";
import { ResponseMemory } from "./gateway/memory/response-memory.ts";
import { Meter } from "./gateway/meter/meter.ts";
import type { TextParts } from "./gateway/serve-text.ts";
import { assetRoutes } from "./http/assets.ts";
import { controlRoutes } from "./http/control.ts";
import { healthRoutes } from "./http/health.ts";
import { mediaRoutes } from "./http/media.ts";
import { modelRoutes } from "./http/models.ts";
import { reachableHost } from "./http/reachable-host.ts";
import { Recorder } from "./http/recorder.ts";
import { RouteTable } from "./http/route.ts";
import { HttpServer } from "./http/server.ts";
import { sessionRoutes } from "./http/session/routes.ts";
import { OpenStreams } from "./http/stream-response.ts";
import { openVideo, type Video } from "./gateway/video/open-video.ts";
import { textErrandRoutes } from "./http/text-errands.ts";
import { textRoutes } from "./http/text.ts";
import { videoRoutes } from "./http/videos.ts";
import { Guesses } from "./identity/access/guesses.ts";
import { Sessions } from "./identity/access/sessions.ts";
import { Authenticator } from "./identity/authenticate.ts";
import { createAccessToken } from "./identity/secrets.ts";
import { Groups } from "./identity/groups.ts";
import { findAccountByName } from "./identity/queries.ts";
import { Limiter } from "./limits/limiter.ts";
import { LoadShedder } from "./limits/shedding.ts";
import { openMedia, type Media } from "./media/open-media.ts";
import { createGatewayMetrics, type GatewayMetrics } from "./observe/gateway-metrics.ts";
import { LoopLag } from "./observe/loop-lag.ts";
import { createMetrics } from "./observe/metrics.ts";
import {
  encodeExpiry,
  encodeUsageRows,
  usageLogMigrations,
  usageProgram,
  usageSteps,
} from "./observe/queries.ts";
import { UsageLog } from "./observe/usage-log.ts";
import { Balances } from "./quota/balances.ts";
import { Ledger } from "./quota/ledger.ts";
import { Prices } from "./quota/prices.ts";
import { ledgerProgram, ledgerSteps } from "./quota/queries.ts";
import { recover, verify } from "./quota/recover.ts";
import { startSandbox, type Sandbox } from "./sandbox/server.ts";
import { createDatabase } from "./store/database.ts";
import { webhookSecret } from "./tasks/webhooks/signature.ts";
import { keptSecret } from "./store/kept-secret.ts";
import { openSqlite } from "./store/sqlite/open.ts";
import { rejectedFileName } from "./store/sqlite/rejected-records.ts";
import type { Store } from "./store/store.ts";

export interface App {
  url: string;
  generated: Generated;
  /** A token of the root account for programs on this machine, new at every start. */
  localToken: string;
  reload(config: Config): Promise<void>;
  /** Lets what runs end, at most for the drain time, then closes everything. */
  close(): Promise<void>;
}

const requestIdleSeconds = 30;
const interruptGraceMs = 2000;
const expiryPeriodMs = 60_000;
const dayMs = 86_400_000;
/** As long as vendors keep responses. */
const originDays = 30;

export interface AppOptions {
  log: Log;
  /** Told of each declared key that had no text of its own, once. */
  keyMade(key: DeclaredKeyMade): void;
}

export async function startApp(config: Config, { log, keyMade }: AppOptions): Promise<App> {
  const base = await createBase(config, log);
  const control = createControl(config, base);
  const recovered = await recover(base.store, systemClock.nowMs());
  if (recovered > 0) log.warn("gave back what requests of the last process held", { recovered });
  const generated = await ensureRoot(control, config.root);
  await applyDeclared(control, config.declared, keyMade);
  const localToken = await trustLocal(control);
  let url = "";
  const media = openMedia({ ...control, config, secret: secretOf(config), baseUrl: () => url });
  const http = createHttp(config, base, control, media);
  const resumed = await http.video.resume();
  await http.assets.resume();
  if (resumed > 0) log.info("took up tasks of the last process", { resumed });
  const server = listen(config, http.server, log);
  url = `http://${reachableHost(server.hostname)}:${server.port}`;
  const statePath = join(config.dataFolder, "server.json");
  const state = { url, token: localToken, pid: process.pid };
  writeFileSync(statePath, JSON.stringify(state), { mode: 0o600 });
  void checkBook(base.store, http.obstacles, log);
  return {
    url,
    generated,
    localToken,
    reload: (next) => applyDeclared(control, next.declared, keyMade),
    async close() {
      http.obstacles.add("the gateway is shutting down");
      http.video.parts.events.close();
      await drain(server, http.streams, config.server.drainMs);
      // What still waits to be counted is estimated instead, and charged before the end.
      http.meter.close();
      await Promise.allSettled(http.settling);
      await http.video.close();
      await http.assets.close();
      await control.ledger.settled();
      await http.usageLog.close();
      rmSync(statePath, { force: true });
      await base.sandbox?.close();
      http.shedder.close();
      base.deadlines.close();
      await base.store.close();
      log.flush();
    },
  };
}

interface Base {
  log: Log;
  deadlines: Deadlines;
  store: Store;
  sandbox: Sandbox | null;
  /** What keeps the gateway from taking paid work until a person has looked. */
  obstacles: Set<string>;
}

async function createBase(config: Config, log: Log): Promise<Base> {
  const obstacles = new Set<string>();
  const store = await openSqlite({
    folder: config.dataFolder,
    programs: { [ledgerProgram]: ledgerSteps },
    log: { programs: { [usageProgram]: usageSteps }, versions: usageLogMigrations },
    onRejected(_run, error) {
      obstacles.add("the database refused a record of the journal");
      const fields = { error: describe(error), file: rejectedFileName };
      log.error("the database refused a record of the journal; it is kept aside", fields);
    },
  });
  const deadlines = new Deadlines(systemClock, systemTimers);
  const sandbox =
    config.sandbox === "off"
      ? null
      : startSandbox({ port: 0, clock: systemClock, timers: systemTimers });
  return { log, deadlines, store, sandbox, obstacles };
}

function createControl(config: Config, { log, deadlines, store, sandbox }: Base): ControlParts {
  const database = createDatabase(store);
  const secret = secretOf(config);
  const groups = new Groups();
  const ledger = new Ledger(
    {
      write: ({ document, sync }) =>
        store.append({ program: ledgerProgram, document }, sync ? "synced" : "written"),
      clock: systemClock,
      timers: systemTimers,
      soon: (run) => void setImmediate(run),
      faulted: (error) => log.error("the journal cannot write", { error: describe(error) }),
    },
    config.journal,
  );
  const ids = createIds(systemClock, systemRandom);
  const system = { clock: systemClock, random: systemRandom, ids };
  return {
    store,
    database,
    seal: createSeal(secret, systemRandom),
    webhookSecretOf: (accountId) => webhookSecret(secret, accountId),
    ...system,
    log,
    send,
    deadlines,
    ledger,
    balances: new Balances(store, ledger),
    groups,
    authenticator: new Authenticator(database, groups, systemClock),
    sessions: new Sessions({ store, database, ...system, limits: config.sessions }),
    guesses: new Guesses(systemClock),
    registration: config.accounts.registration,
    channels: new Channels(config.distribution),
    prices: new Prices(config.unpriced),
    sandboxChannels: sandbox ? sandboxChannels(sandbox.url) : [],
    isSandboxKept: config.sandbox === "on",
  };
}

function secretOf({ secret, dataFolder }: Config): string {
  return secret ?? keptSecret(dataFolder, systemRandom);
}

async function trustLocal({ authenticator, database, random }: ControlParts): Promise<string> {
  const token = createAccessToken(random);
  const root = await findAccountByName(database, "root");
  if (root) {
    const { id: accountId, username, role } = root;
    authenticator.trustLocal(token, { accountId, username, role });
  }
  return token;
}

/** A book that does not agree with its entries takes no money until a person has looked. */
async function checkBook(store: Store, obstacles: Set<string>, log: Log): Promise<void> {
  const violations = await verify((statement) => store.read(statement));
  if (violations.length === 0) return;
  obstacles.add("the ledger does not agree with its entries");
  for (const { invariant, row } of violations) log.error("ledger violation", { invariant, row });
}

interface Http {
  server: HttpServer;
  streams: OpenStreams;
  usageLog: UsageLog;
  shedder: LoadShedder;
  obstacles: Set<string>;
  meter: Meter;
  settling: ReadonlySet<Promise<void>>;
  video: Video;
  assets: Assets;
}

function createHttp(config: Config, base: Base, control: ControlParts, media: Media): Http {
  const { log, deadlines, store, obstacles } = base;
  const { ledger, channels } = control;
  const streams = new OpenStreams({ deadlines, ...config.timeouts });
  const usageLog = new UsageLog({
    sink: {
      write: (rows) => store.writeLog({ program: usageProgram, document: encodeUsageRows(rows) }),
    },
    timers: systemTimers,
    log,
  });
  const origins = new Origins(control);
  systemTimers.every(expiryPeriodMs, () => {
    void expire("rows of the usage log", log, () => expireUsage(store, config.retention.logDays));
    void expire("sessions", log, () => control.sessions.expire());
    void expire("media", log, () => media.expire());
    void expire("creates and callbacks", log, () => video.expire());
    void expire("origins", log, () => origins.expire(systemClock.nowMs() - originDays * dayMs));
  });
  // Not `memoryUsage.rss()`: asking for the whole also has the runtime look at its heap, without
  // which a burst of streams leaves a limit so high that garbage piles up to a gigabyte.
  const rssBytes = () => process.memoryUsage().rss;
  const registry = createMetrics();
  const metrics = createGatewayMetrics(registry, {
    version,
    streamsOpen: () => streams.size,
    journalQueue: () => ledger.queueLength,
    journalOldestMs: () => ledger.oldestMs,
    loopLag: new LoopLag(systemClock, systemTimers),
    rssBytes,
    channelsEjected: () =>
      channels.all.filter(({ health }) => health.isOut(systemClock.monotonicMs())).length,
    logDropped: () => usageLog.dropped,
  });
  const { memoryBytesMax, streamsMax } = config.limits;
  const shedder = new LoadShedder({ rssBytes, memoryBytesMax, timers: systemTimers });
  const meter = new Meter({ deadlines });
  const text = createText(config, control, { metrics, origins, meter });
  const assets = new Assets({ ...control, media });
  const video = openVideo({ ...control, ...text, config, media, timers: systemTimers });
  const findObstacles = () => [
    ...obstacles,
    ...(ledger.isFaulted ? ["the journal cannot write"] : []),
    ...(shedder.isShedding ? ["memory is short"] : []),
  ];
  const table = new RouteTable([
    ...textRoutes(text, config.server.textBodyBytesMax),
    ...textErrandRoutes(text, config.server.textBodyBytesMax),
    ...modelRoutes(control),
    ...videoRoutes({ ...control, ...video.parts, ...config.server, assets }),
    ...mediaRoutes(media),
    ...assetRoutes(assets),
    ...healthRoutes({ obstacles: findObstacles, renderMetrics: () => registry.render() }),
    ...controlRoutes(control, { version, obstacles: findObstacles }),
    ...sessionRoutes(control, config.server),
  ]);
  const server = new HttpServer({
    ...control,
    table,
    limiter: new Limiter(systemClock),
    shedder,
    streams,
    streamsMax,
    obstacles,
    recorder: new Recorder({
      clock: systemClock,
      log,
      logsRequests: config.log.requests,
      metrics,
      usageLog,
    }),
    allowedHosts: config.server.allowedHosts,
    publicUrl: config.server.publicUrl,
    trustProxy: config.server.trustProxy,
  });
  return {
    server,
    streams,
    usageLog,
    shedder,
    obstacles,
    meter,
    settling: text.settling,
    video,
    assets,
  };
}

async function expireUsage(store: Store, logDays: number): Promise<void> {
  const document = encodeExpiry(systemClock.nowMs() - logDays * dayMs);
  await store.writeLog({ program: usageProgram, document });
}

async function expire(what: string, log: Log, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.warn(`old ${what} could not be deleted`, { error: describe(error) });
  }
}

interface TextTools {
  metrics: GatewayMetrics;
  origins: Origins;
  meter: Meter;
}

function createText(
  config: Config,
  control: ControlParts,
  { metrics, origins, meter }: TextTools,
): TextParts {
  const { database, log } = control;
  return {
    ...control,
    ...config.timeouts,
    origins,
    meter,
    memory: new ResponseMemory({ clock: systemClock, timers: systemTimers }),
    settling: new Set(),
    openTally: (format) => meter.open(format),
    retryBudget: new RetryBudget(config.distribution.retryBudgetPercent),
    attemptsMax: config.distribution.attemptsMax,
    bounds: config.text,
    attempted: ({ settings: { name } }, outcome) => {
      metrics.attempts.with(name, outcome.kind).add();
      if (outcome.kind !== "failed") return;
      log.info("an attempt failed", { channel: name, error: describe(outcome.error) });
    },
    keyRefused: (channel, key, reason) => {
      const { id: channelId, name } = channel.settings;
      log.warn("an upstream refused a key; it is disabled", { channel: name, reason });
      const place = { channelId, position: key.position, last4: key.text.slice(-4) };
      setKeyStatus(database, place, "disabled", reason).catch((error: unknown) =>
        log.error("a refused key could not be marked", { error: describe(error) }),
      );
    },
  };
}

function listen(config: Config, http: HttpServer, log: Log) {
  return Bun.serve({
    hostname: config.server.host,
    port: config.server.port,
    development: false,
    idleTimeout: requestIdleSeconds,
    // The routes' own limits answer in their envelope; Bun's answer would have none.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: http.handlers,
    fetch: (request, server) => http.handle(request, server, null),
    error(error) {
      log.error("unhandled", { error: describe(error) });
      return new Response(
        '{"error":{"message":"Something went wrong inside the gateway.","type":"server_error",' +
          '"param":null,"code":"server_error"}}',
        { status: 500, headers: { "content-type": "application/json" } },
      );
    },
  });
}

async function drain(
  server: ReturnType<typeof listen>,
  streams: OpenStreams,
  drainMs: number,
): Promise<void> {
  const stopped = server.stop();
  const isDone = await Promise.race([
    stopped.then(() => true),
    new Promise<false>((resolve) => systemTimers.after(drainMs, () => resolve(false))),
  ]);
  if (isDone) return;
  streams.interrupt();
  await Promise.race([
    stopped,
    new Promise<void>((resolve) => systemTimers.after(interruptGraceMs, resolve)),
  ]);
  await server.stop(true);
}
