// The videoB family.
import type { VideoFamily } from "../family.ts";
import { bySecond, secondsMax } from "../kit/meter.ts";
import { fromUnified } from "../kit/unified.ts";
import { models, names, sizesByRatio } from "./models.ts";
import { render } from "./render.ts";
import { fields, parse } from "./request.ts";

export const videoB: VideoFamily = {
  name: "video-b",
  models: [...models.keys()],
  names,
  envelope: "a",
  parse,
  fields,
  unified: (body) => fromUnified(body, (size) => ({ size: sizesByRatio.get(size) ?? size })),
  ...bySecond(secondsMax),
  render,
};
