// The videoC 1.5 family.
import type { VideoFamily } from "../family.ts";
import { bySecond } from "../kit/meter.ts";
import { renderTask } from "../kit/render.ts";
import { fromUnified } from "../kit/unified.ts";
import { models, names } from "./models.ts";
import { fields, fromSize, parse } from "./request.ts";

export const videoC1: VideoFamily = {
  name: "video-c1",
  models: [...models.keys()],
  names,
  envelope: "a",
  parse,
  fields,
  unified: (body) => fromUnified(body, fromSize),
  ...bySecond(11),
  render: renderTask,
};
