// The videoD family.
import type { VideoFamily } from "../family.ts";
import { bySecond } from "../kit/meter.ts";
import { fromUnified } from "../kit/unified.ts";
import { models, names } from "./models.ts";
import { render } from "./render.ts";
import { fields, fromSize, parse } from "./request.ts";

export const videoD: VideoFamily = {
  name: "video-d",
  models: [...models.keys()],
  names,
  envelope: "a",
  parse,
  fields,
  unified: (body) => fromUnified(body, fromSize),
  ...bySecond(15),
  render,
};
