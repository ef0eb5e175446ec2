// The imageH family.
import type { ImageFamily } from "../image-family.ts";
import { imageUnits } from "../kit/image/meter.ts";
import { leastResolution, models, names } from "./models.ts";
import { fields, parse } from "./request.ts";

export const imageH: ImageFamily = {
  name: "image-h",
  models: [...models.keys()],
  names,
  parse,
  fields,
  // The vendor makes 1K where nothing is said.
  units: (job) => imageUnits(job, "1k", leastResolution),
};
