// videoB shows the common shape and echoes what was asked for, as texts.
import type { JsonObject } from "../../core/json.ts";
import type { ShownTask } from "../family.ts";
import { renderTask } from "../kit/render.ts";
import { pixelText } from "../kit/shape.ts";

export function render(task: ShownTask): JsonObject {
  const size = pixelText(task.job.size);
  const { seconds } = task.job;
  return {
    ...renderTask(task),
    ...(size === null ? {} : { size }),
    ...(seconds === null ? {} : { seconds: String(seconds) }),
  };
}
