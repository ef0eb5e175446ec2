// The videoA family.
import type { VideoFamily } from "../family.ts";
import { bySecond, secondsMax } from "../kit/meter.ts";
import { renderTask } from "../kit/render.ts";
import { fromUnified } from "../kit/unified.ts";
import { models, names } from "./models.ts";
import { fields, parse } from "./request.ts";

export const videoA: VideoFamily = {
  name: "video-a",
  models: [...models.keys()],
  names,
  envelope: "a",
  parse,
  fields,
  unified: (body) => fromUnified(body),
  ...bySecond(secondsMax),
  render: renderTask,
};
