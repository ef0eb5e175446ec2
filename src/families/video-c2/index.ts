// The videoC 2.0 family.
import type { VideoFamily } from "../family.ts";
import { bySecond } from "../kit/meter.ts";
import { fromUnified } from "../kit/unified.ts";
import { models, names } from "./models.ts";
import { render } from "./render.ts";
import { fields, fromSize, parse } from "./request.ts";

export const videoC2: VideoFamily = {
  name: "video-c2",
  models: [...models.keys()],
  names,
  envelope: "c",
  takesAssets: true,
  parse,
  fields,
  unified: (body) => fromUnified(body, fromSize),
  // The vendor may choose the length, up to this.
  ...bySecond(15),
  render,
};
