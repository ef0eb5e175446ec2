// The imageG family.
import type { ImageFamily } from "../image-family.ts";
import { imageUnits } from "../kit/image/meter.ts";
import { models, names } from "./models.ts";
import { fields, parse } from "./request.ts";

export const imageG: ImageFamily = {
  name: "image-g",
  models: [...models.keys()],
  names,
  parse,
  fields,
  // The vendor makes 2K where nothing is said.
  units: (job) => imageUnits(job, "2k"),
};
