// The flows of text, videos and assets, with the tools they share.
import { Assets } from "../assets/assets.ts";
import type { Config } from "../config/config.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import { describe } from "../core/log.ts";
import { Origins } from "../distribution/origins.ts";
import { setKeyStatus } from "../distribution/queries.ts";
import { RetryBudget } from "../distribution/retry-budget.ts";
import type { ImageParts } from "../gateway/image/image-work.ts";
import { openImageTasks, type ImageTasks } from "../gateway/image/task/open-image-tasks.ts";
import { openImgF } from "../gateway/img-f/open-img-f.ts";
import { ResponseMemory } from "../gateway/text/memory/response-memory.ts";
import { Meter } from "../gateway/text/meter/meter.ts";
import type { TextParts } from "../gateway/text/serve-text.ts";
import { AssetRegistrar } from "../gateway/video/asset-registrar.ts";
import { openTasks, type Tasks } from "../gateway/task/open-tasks.ts";
import { openVideo, type Video } from "../gateway/video/open-video.ts";
import type { Media } from "../media/open-media.ts";
import type { GatewayMetrics } from "../observe/gateway-metrics.ts";
import type { UsageLog } from "../observe/usage-log.ts";
import { Lease } from "../tasks/lease.ts";
import type { Control } from "./control.ts";

export interface Flows {
  text: TextParts;
  tasks: Tasks;
  video: Video;
  image: ImageParts;
  imageTasks: ImageTasks;
  imgF: ReturnType<typeof openImgF>;
  assets: Assets;
  meter: Meter;
  origins: Origins;
  media: Media;
}

export function createFlows(
  config: Config,
  control: Control,
  { media, metrics, usageLog }: { media: Media; metrics: GatewayMetrics; usageLog: UsageLog },
): Flows {
  const origins = new Origins(control);
  const meter = new Meter(control);
  const text = createText(config, control, { metrics, origins, meter });
  const timers = systemTimers;
  // The data folder's lock keeps every other process out.
  const lease = new Lease({ ...control, isSole: true });
  const tasks = openTasks({ ...control, config, media, timers, lease, metrics, usageLog });
  const video = openVideo({ ...control, ...text, config, media }, tasks.tools);
  const image = createImage(config, { ...control, ...text }, media);
  const imageTasks = openImageTasks({ ...control, ...image, config, timers }, tasks.tools);
  const imgF = openImgF({ ...control, ...image, config }, tasks.tools);
  const registrar = new AssetRegistrar({ ...video.parts, log: control.log });
  const pace = { firstMs: config.tasks.pollFirstMs, mostMs: config.tasks.pollMostMs };
  const assets = new Assets({ ...control, media, timers, registrar, pace });
  return { text, tasks, video, image, imageTasks, imgF, assets, meter, origins, media };
}

function createImage(
  { images, media: rules }: Config,
  shared: Control & TextParts,
  { store, fetch, spool }: Media,
): ImageParts {
  const { fetchTimeoutMs, fileBytesMax } = rules;
  return {
    ...shared,
    media: store,
    fetch,
    spool,
    fetchTimeoutMs,
    fileBytesMax,
    needs: { fetch, fetchTimeoutMs },
    imageCallMs: images.callMs,
    imageReplyBytesMax: images.replyBytesMax,
  };
}

interface TextTools {
  metrics: GatewayMetrics;
  origins: Origins;
  meter: Meter;
}

function createText(
  config: Config,
  control: Control,
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
