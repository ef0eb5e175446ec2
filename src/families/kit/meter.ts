// Units of a job's charge: its seconds of output, and the facts that a price may tell apart.
import type { DeliveredMedia, VideoFamily } from "../family.ts";
import type { VideoJob, VideoUnits } from "../video-job.ts";
import { resolutionOf, pixelText } from "./shape.ts";

/** Limit of families that state none of their own: a longer video is a mistake or an attack. */
export const secondsMax = 60;

/** A family that is charged by the second of output; `secondsMost` as in `unitsOf`. */
export function bySecond(secondsMost: number): Required<Pick<VideoFamily, "units" | "actual">> {
  return {
    units: (job) => unitsOf(job, secondsMost),
    actual: (job, delivered) => actualOf(unitsOf(job, secondsMost), delivered),
  };
}

/** `secondsMost` counts where the length is left to the vendor. */
export function unitsOf(job: VideoJob, secondsMost: number): VideoUnits {
  return {
    seconds: job.seconds ?? secondsMost,
    resolution: job.resolution ?? (job.size === null ? null : resolutionOf(job.size)),
    size: pixelText(job.size),
    tier: job.tier,
  };
}

/** The length that came out, and never more than was asked for. */
export function actualOf(held: VideoUnits, { seconds }: DeliveredMedia): VideoUnits {
  if (seconds === null || !Number.isFinite(seconds) || seconds <= 0) return held;
  return { ...held, seconds: Math.min(seconds, held.seconds) };
}
