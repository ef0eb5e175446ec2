// The videoA family.
import type { VideoFamily } from "../family.ts";
import { bySecond, secondsMax } from "../kit/meter.ts";
import { renderTask } from "../kit/render.ts";
import { fromUnified } from "../kit/unified.ts";
import { models } from "./models.ts";
import { parse } from "./request.ts";

export const videoA: VideoFamily = {
  name: "video-a",
  models: [...models.keys()],
  envelope: "a",
  parse,
  unified: (body) => fromUnified(body),
  ...bySecond(secondsMax),
  render: renderTask,
};
