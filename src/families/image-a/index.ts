// The imageA family.
import type { ImageFamily } from "../image-family.ts";
import { units } from "./meter.ts";
import { isWithoutLinks, models } from "./models.ts";
import { parse } from "./request.ts";

export const imageA: ImageFamily = {
  name: "image-a",
  models: [...models.keys()],
  isWithoutLinks,
  parse,
  units,
};
