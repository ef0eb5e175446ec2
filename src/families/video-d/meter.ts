// videoD is charged by the second of output.
import type { DeliveredMedia } from "../family.ts";
import { actualOf, unitsOf } from "../kit/meter.ts";
import type { VideoJob, VideoUnits } from "../video-job.ts";

const secondsMost = 15;

export function units(job: VideoJob): VideoUnits {
  return unitsOf(job, secondsMost);
}

export function actual(job: VideoJob, delivered: DeliveredMedia): VideoUnits {
  return actualOf(units(job), delivered);
}
