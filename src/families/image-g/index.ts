// The imageG family.
import type { ImageFamily } from "../image-family.ts";
import { units } from "./meter.ts";
import { models } from "./models.ts";
import { parse } from "./request.ts";

export const imageG: ImageFamily = {
  name: "image-g",
  models: [...models.keys()],
  parse,
  units,
};
