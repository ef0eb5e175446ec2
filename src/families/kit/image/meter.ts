// Units of a charge for images: how many, how large and how well made.
import type { ImageJob, ImageUnits } from "../../image-job.ts";
import { pixelText, type PixelSize } from "../shape.ts";
import { imageResolution, type Resolution } from "./size.ts";

/** `usual` counts where the size is left to the vendor. */
export function imageUnits(
  job: ImageJob,
  usual: Resolution,
  resolutionOf: (size: PixelSize) => Resolution = imageResolution,
): ImageUnits {
  const { size, sizeClass } = job;
  return {
    images: job.count,
    size: pixelText(size) ?? sizeClass,
    resolution: size === null ? (sizeClass?.toLowerCase() ?? usual) : resolutionOf(size),
    quality: job.quality,
  };
}
