// imageA is charged by the image; one whose size is left open comes out as about one megapixel.
import type { ImageJob, ImageUnits } from "../image-job.ts";
import { imageUnits } from "../kit/image/meter.ts";

export function units(job: ImageJob): ImageUnits {
  return imageUnits(job, "1k");
}
