// videoB shows the common shape and echoes what was asked for, as texts.
import type { JsonObject } from "../../core/json.ts";
import type { TaskView } from "../family.ts";
import { renderTask } from "../kit/render.ts";
import { sizeText } from "../kit/shape.ts";

export function render(task: TaskView): JsonObject {
  const size = sizeText(task.job.size);
  const { seconds } = task.job;
  return {
    ...renderTask(task),
    ...(size === null ? {} : { size }),
    ...(seconds === null ? {} : { seconds: String(seconds) }),
  };
}
