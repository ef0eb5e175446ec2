// The imageH family.
import type { ImageFamily } from "../image-family.ts";
import { units } from "./meter.ts";
import { models } from "./models.ts";
import { parse } from "./request.ts";

export const imageH: ImageFamily = {
  name: "image-h",
  models: [...models.keys()],
  parse,
  units,
};
