// The flows of text, images, videos and assets, each with what it needs.
import { exclusively } from "../admin/exclusively.ts";
import { Assets } from "../assets/assets.ts";
import { AssetClaims } from "../assets/claims.ts";
import type { Config } from "../config/config.ts";
import { dayOf } from "../core/day.ts";
import { describe } from "../core/log.ts";
import { lastFour } from "../distribution/channel.ts";
import type { UsageDoubtNeeds } from "../distribution/doubts.ts";
import { Overruns } from "../quota/overruns.ts";
import { makeWait } from "../admin/user/wait.ts";
import { readSettingsOf, setKeyStatus } from "../distribution/queries.ts";
import { WaitLine } from "../gateway/wait-line.ts";
import { RetryBudget } from "../distribution/retry-budget.ts";
import type { AttemptNeeds } from "../gateway/attempt.ts";
import type { ReadOn } from "../gateway/stream/read-on.ts";
import { KeyWatch } from "../gateway/key-watch.ts";
import type { VendorNeeds } from "../gateway/task/vendor-call.ts";
import { AssetRegistrar } from "../gateway/video/asset-registrar.ts";
import type { ImgFRouteNeeds } from "../http/img-f/routes.ts";
import type { VideoRouteNeeds } from "../http/videos.ts";
import type { Media } from "../media/open-media.ts";
import type { GatewayMetrics } from "../observe/gateway-metrics.ts";
import type { Tracer } from "../observe/otlp/tracer.ts";
import { findOtherPayer } from "../observe/rollup/queries.ts";
import { readLog } from "../store/log.ts";
import type { Control } from "./control.ts";
import { createImages, type Images } from "./images.ts";
import { createTasks, type Tasks } from "./tasks.ts";
import type { Shared } from "./shared.ts";
import { createText, type Charging, type Text } from "./text.ts";
import { createImgF, createVideos } from "./videos.ts";

export interface Flows {
  text: Text;
  readOn: ReadOn;
  tasks: Tasks;
  videos: VideoRouteNeeds;
  images: Images;
  imgF: ImgFRouteNeeds;
  assets: Assets;
  media: Media;
}

interface FlowsNeeds {
  media: Media;
  metrics: GatewayMetrics;
  readOn: ReadOn;
  madeOn: ReadOn;
  shared: Pick<Shared, "replyLink">;
  /** Null where nothing is traced. */
  tracer: Tracer | null;
}

export function createFlows(
  config: Config,
  control: Control,
  { media, metrics, readOn, madeOn, shared, tracer }: FlowsNeeds,
): Flows {
  const { fetch, store } = media;
  const attempts = createAttempts(config, control, metrics);
  const doubts = createDoubts(control, metrics);
  const charging = createCharging(control, metrics);
  const vendors = createVendors(config, control, tracer);
  const tasks = createTasks(config, control, { fetch, metrics, tracer });
  const { book, engine, places } = tasks;
  const starting = { attempts, book, engine, places };
  const references = { fetch, fetchTimeoutMs: config.media.fetchTimeoutMs };
  const assets = createAssets(config, control, { media, vendors });
  const vendorTasks = { tasks, starting, vendors, media: store };
  return {
    text: createText(config, control, { attempts, doubts, charging, readOn, madeOn, shared }),
    readOn,
    tasks,
    videos: createVideos(config, control, vendorTasks, { references, assets, doubts }),
    images: createImages(config, control, {
      tasks,
      attempts,
      doubts,
      readOn,
      references,
      media,
      tracer,
    }),
    imgF: createImgF(config, control, vendorTasks),
    assets,
    media,
  };
}

/** An account idle for longer than this is not missed. */
const activeDays = 7;

/** Parts that every attempt on a channel goes through, whatever it is for. */
function createAttempts(
  { distribution }: Config,
  { random, database, store, send, deadlines, log, machine: { clock, timers } }: Control,
  metrics: GatewayMetrics,
): AttemptNeeds {
  const keyRefused: AttemptNeeds["keyRefused"] = (channel, key, reason) => {
    const { id: channelId, name } = channel.settings;
    log.warn("an upstream refused a key; it is disabled", { channel: name, reason });
    const place = { channelId, position: key.position, last4: lastFour(key.text) };
    // In a turn, so that other nodes hear of it.
    const mark = () => setKeyStatus(database, place, "disabled", reason);
    exclusively({ store }, "channels", mark).catch((error: unknown) =>
      log.error("a refused key could not be marked", { error: describe(error) }),
    );
  };
  const checking = { send, deadlines, clock };
  const watch = new KeyWatch({
    clock,
    checking,
    refused: keyRefused,
    hasOthers: async (accounts) => {
      const query = findOtherPayer(accounts, dayOf(clock.nowMs()) - activeDays);
      // An account that cannot be asked after is taken to be there.
      return await readLog(store, query).then(
        (rows) => rows.length > 0,
        () => true,
      );
    },
  });
  return {
    clock,
    random,
    retryBudget: new RetryBudget(distribution.retryBudgetPercent),
    rules: distribution,
    line: new WaitLine({ clock, timers, rules: distribution }),
    attempted: ({ settings: { name } }, outcome) => {
      metrics.attempts.with(name, outcome.kind).add();
      if (outcome.kind !== "failed") return;
      log.info("an attempt failed", { channel: name, error: describe(outcome.error) });
    },
    keyRefused,
    keySuspected: (choice, refusal) => watch.suspect(choice, refusal),
  };
}

function createDoubts(
  { log, machine: { clock } }: Control,
  metrics: GatewayMetrics,
): UsageDoubtNeeds {
  return {
    clock,
    doubted: ({ settings: { name } }) => {
      metrics.implausible.with(name).add();
      log.warn("an upstream told of a usage that cannot be", { channel: name });
    },
    otherModel: ({ settings: { name } }, model) => {
      metrics.otherModels.with(name).add();
      log.debug("an upstream answered with another model", { channel: name, model });
    },
  };
}

/** Reactions where a vendor's reported usage and a wallet do not agree. */
function createCharging(control: Control, metrics: GatewayMetrics) {
  const overruns = new Overruns();
  const charging: Charging = {
    looked: (result) => metrics.secondLooks.with(result).add(),
    clamped: ({ settings: { name } }, accountId, micros) =>
      metrics.clampedMicros.with(accountId, name).add(micros),
    overran(account, micros) {
      if (!overruns.note(account, micros)) return;
      const { log } = control;
      log.warn("an account used more than it could pay; it waits", { account: account.id });
      makeWait(control, account.id).catch((error: unknown) =>
        log.error("an account could not be made to wait", { error: describe(error) }),
      );
    },
  };
  return charging;
}

function createVendors({ tasks }: Config, control: Control, tracer: Tracer | null): VendorNeeds {
  const { send, deadlines, channels, database, seal, machine } = control;
  return {
    send,
    clock: machine.clock,
    deadlines,
    channels,
    readRetired: (id) => readSettingsOf(database, seal, id),
    vendorCallMs: tasks.callMs,
    tracer,
  };
}

function createAssets(
  { tasks }: Config,
  { database, store, clock, machine: { timers }, ids, log }: Control,
  { media, vendors }: { media: Media; vendors: VendorNeeds },
): Assets {
  return new Assets({
    database,
    claims: new AssetClaims({ database, clock, isSole: store.sharing === undefined }),
    media,
    registrar: new AssetRegistrar({ vendors, log }),
    pace: { firstMs: tasks.pollFirstMs, mostMs: tasks.pollMostMs },
    clock,
    timers,
    ids,
    log,
  });
}
