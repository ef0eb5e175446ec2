// The tasks whose vendors are asked how they are doing: videos, and imgF.
import type { UsageDoubtNeeds } from "../distribution/doubts.ts";
import type { Assets } from "../assets/assets.ts";
import { imgFName } from "../families/img-f-job.ts";
import type { Config } from "../config/config.ts";
import { renderImgFTask } from "../gateway/img-f/render.ts";
import { ImgFWorker } from "../gateway/img-f/worker.ts";
import type { StartTaskNeeds } from "../gateway/task/start-task.ts";
import type { VendorNeeds } from "../gateway/task/vendor-call.ts";
import { stopVideo } from "../gateway/video/cancel.ts";
import type { ReferenceNeeds } from "../gateway/video/needed-bytes.ts";
import { renderVideo } from "../gateway/video/render.ts";
import { VideoWorker } from "../gateway/video/worker.ts";
import type { ImgFRouteNeeds } from "../http/img-f/routes.ts";
import type { VideoRouteNeeds } from "../http/videos.ts";
import type { MediaStore } from "../media/media.ts";
import type { Task } from "../tasks/task.ts";
import type { Tasks } from "./tasks.ts";
import type { Control } from "./control.ts";

interface VendorTaskNeeds {
  tasks: Tasks;
  starting: StartTaskNeeds;
  vendors: VendorNeeds;
  media: MediaStore;
}

/** Needs of the files that videos refer to. */
interface ReferredNeeds {
  references: ReferenceNeeds;
  assets: Assets;
  doubts: UsageDoubtNeeds;
}

export function createVideos(
  config: Config,
  { database, store, prices, log }: Control,
  { tasks, starting, vendors, media }: VendorTaskNeeds,
  { references, assets, doubts }: ReferredNeeds,
): VideoRouteNeeds {
  const { kinds, book, engine, events, creating, intents, others } = tasks;
  const cancelling = { vendors, book, others };
  const worker = new VideoWorker({ vendors, keeper: media, doubts, log });
  kinds.add("video", {
    worker,
    render: (task) => renderVideo(task, media),
    stop: (task) => stopVideo(cancelling, task),
  });
  return {
    creating: {
      tasks: creating,
      assets,
      submitting: { intents, starting, vendors, references, prices },
      media,
      bodyBytesMax: config.server.bodyBytesMax,
    },
    reading: {
      book,
      engine,
      events,
      creates: creating.creates,
      cancelling,
      database,
      store,
      media,
      pollAfterMs: config.tasks.pollFirstMs,
    },
    content: { book, media, worker, variants: { vendors, references } },
  };
}

export function createImgF(
  config: Config,
  { prices, log }: Control,
  { tasks, starting, vendors, media }: VendorTaskNeeds,
): ImgFRouteNeeds {
  const { kinds, book, engine, creating, intents, others } = tasks;
  const render = (task: Task) => renderImgFTask(task, media);
  const worker = new ImgFWorker({ vendors, media, log });
  // The dialect's callbacks get the task itself.
  kinds.add(imgFName, { worker, render, tell: render });
  return {
    creating: {
      tasks: creating,
      submitting: { intents, starting, vendors, prices },
      sayingMore: { vendors, book, engine, others },
      bodyBytesMax: config.server.bodyBytesMax,
    },
    reading: { book, engine, media },
  };
}
