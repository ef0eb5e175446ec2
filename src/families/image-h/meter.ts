// imageH is charged by the image; the vendor makes 1K where nothing is said.
import type { ImageJob, ImageUnits } from "../image-job.ts";
import { imageUnits } from "../kit/image/meter.ts";
import { leastResolution } from "./models.ts";

export function units(job: ImageJob): ImageUnits {
  return imageUnits(job, "1k", leastResolution);
}
