// videoA is charged by the second of output.
import type { DeliveredMedia } from "../family.ts";
import { actualOf, secondsMax, unitsOf } from "../kit/meter.ts";
import type { VideoJob, VideoUnits } from "../video-job.ts";

export function units(job: VideoJob): VideoUnits {
  return unitsOf(job, secondsMax);
}

export function actual(job: VideoJob, delivered: DeliveredMedia): VideoUnits {
  return actualOf(units(job), delivered);
}
