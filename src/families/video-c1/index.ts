// The videoC 1.5 family.
import type { VideoFamily } from "../family.ts";
import { renderTask } from "../kit/render.ts";
import { fromUnified } from "../kit/unified.ts";
import { actual, units } from "./meter.ts";
import { models } from "./models.ts";
import { fromSize, parse } from "./request.ts";

export const videoC1: VideoFamily = {
  name: "video-c1",
  models: [...models.keys()],
  envelope: "a",
  parse,
  unified: (body) => fromUnified(body, fromSize),
  units,
  actual,
  render: renderTask,
};
