// The imageA family.
import type { ImageFamily } from "../image-family.ts";
import { units } from "./meter.ts";
import { models } from "./models.ts";
import { parse } from "./request.ts";

export const imageA: ImageFamily = {
  name: "image-a",
  models: [...models.keys()],
  parse,
  units,
};
