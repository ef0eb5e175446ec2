// The videoC 2.0 family.
import type { VideoFamily } from "../family.ts";

import { fromUnified } from "../kit/unified.ts";
import { actual, units } from "./meter.ts";
import { models } from "./models.ts";
import { render } from "./render.ts";
import { fromSize, parse } from "./request.ts";

export const videoC2: VideoFamily = {
  name: "video-c2",
  models: [...models.keys()],
  envelope: "c",
  takesAssets: true,
  parse,
  unified: (body) => fromUnified(body, fromSize),
  units,
  actual,
  render: render,
};
