// imageH: the models, the vendor's names of them, and the classes of size that each makes.
import { modelNames, ofModel } from "../kit/names.ts";
import type { Resolution } from "../kit/image/size.ts";
import type { PixelSize } from "../kit/shape.ts";

export interface Model {
  model: string;
  classes: readonly string[];
}

const pro: Model = { model: "imageH-3-pro-image-preview", classes: ["1K", "2K", "4K"] };
const lite: Model = { model: "imageH-3.1-flash-lite-image", classes: ["1K"] };

export const models: ReadonlyMap<string, Model> = new Map([
  [pro.model, pro],
  ["imageH-3-pro-image", pro],
  ["gemini-3-pro-image-preview", pro],
  ["gemini-3-pro-image", pro],
  [lite.model, lite],
  ["gemini-3.1-flash-lite-image", lite],
]);

export const names = modelNames(models, /^gemini-/, ofModel);

/** The vendor makes classes alone: the least with as many pixels stands for a size. */
export function leastResolution({ width, height }: PixelSize): Resolution {
  const pixels = width * height;
  if (pixels <= 1024 ** 2) return "1k";
  return pixels <= 2048 ** 2 ? "2k" : "4k";
}
