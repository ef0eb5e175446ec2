// The imageA family.
import type { ImageFamily } from "../image-family.ts";
import { imageUnits } from "../kit/image/meter.ts";
import { parseSize } from "../kit/shape.ts";
import { isWithoutLinks, models, names } from "./models.ts";
import { fields, parse } from "./request.ts";

export const imageA: ImageFamily = {
  name: "image-a",
  models: [...models.keys()],
  names,
  isWithoutLinks,
  exactSizes: (model) => (models.get(model)?.sizes ?? []).flatMap((text) => parseSize(text) ?? []),
  parse,
  fields,
  // One whose size is left open comes out as about one megapixel.
  units: (job) => imageUnits(job, "1k"),
};
