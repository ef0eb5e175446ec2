// The omni-fast family.
import type { VideoFamily } from "../family.ts";
import { bySecond } from "../kit/meter.ts";
import { renderTask } from "../kit/render.ts";
import { fromUnified } from "../kit/unified.ts";
import { models } from "./models.ts";
import { fields, parse } from "./request.ts";

export const omniFast: VideoFamily = {
  name: "omni-fast",
  models: [...models.keys()],
  envelope: "a",
  parse,
  fields,
  unified: (body) => fromUnified(body),
  // The most of an edit whose length is left to the vendor.
  ...bySecond(30),
  render: renderTask,
};
