// Puts the parts of image tasks together, as configured.
import type { Config } from "../../../config/config.ts";
import { sleep, type Timers } from "../../../core/clock.ts";
import type { Log } from "../../../core/log.ts";
import type { TaskTools } from "../../task/open-tasks.ts";
import type { SubmitImageParts } from "../submit-image.ts";
import { neverSent } from "./perform.ts";
import { renderImageTask, type LinkTo } from "./render.ts";
import { ImageRuns } from "./runs.ts";
import { ImageWorker } from "./worker.ts";

export interface ImageTaskNeeds extends Omit<SubmitImageParts, keyof TaskTools | "runs"> {
  config: Pick<Config, "images">;
  timers: Timers;
  log: Log;
}

export interface ImageTasks {
  parts: SubmitImageParts & ImageTaskTools;
  /** Lets what runs and waits come to its end, at most for so long; then it is broken off. */
  close(drainMs: number): Promise<void>;
}

export interface ImageTaskTools extends TaskTools {
  linkTo: LinkTo;
}

export function openImageTasks(needs: ImageTaskNeeds, tools: TaskTools): ImageTasks {
  const { clock, timers, media } = needs;
  const { runsPerChannel, waitingMax, waitingBytesMax } = needs.config.images;
  const runs = new ImageRuns({
    ...needs,
    runsPerChannelMax: runsPerChannel,
    waitingMax,
    bytesMax: waitingBytesMax,
  });
  const linkTo: LinkTo = (mediaId) => media.link(mediaId);
  tools.kinds.add("image", {
    worker: new ImageWorker(runs, clock),
    render: (task) => renderImageTask(task, linkTo),
  });
  return {
    parts: { ...needs, ...tools, runs, linkTo },
    async close(drainMs) {
      await Promise.race([runs.drained(), sleep(timers, drainMs)]);
      await runs.close(neverSent);
    },
  };
}
