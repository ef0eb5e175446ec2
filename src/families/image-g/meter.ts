// imageG is charged by the image; the vendor makes 2K where nothing is said.
import type { ImageJob, ImageUnits } from "../image-job.ts";
import { imageUnits } from "../kit/image/meter.ts";

export function units(job: ImageJob): ImageUnits {
  return imageUnits(job, "2k");
}
