// The manxue family.
import type { VideoFamily } from "../family.ts";
import { bySecond } from "../kit/meter.ts";
import { renderTask } from "../kit/render.ts";
import { fromUnified } from "../kit/unified.ts";
import { models } from "./models.ts";
import { fields, parse } from "./request.ts";

export const manxue: VideoFamily = {
  name: "manxue",
  models: [...models.keys()],
  envelope: "a",
  parse,
  fields,
  unified: (body) => fromUnified(body),
  ...bySecond(15),
  render: renderTask,
};
