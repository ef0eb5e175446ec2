// videoD shows the common shape, when it ended, and how long the video is.
import type { JsonObject } from "../../core/json.ts";
import type { ShownTask } from "../family.ts";
import { renderTask } from "../kit/render.ts";

export function render(task: ShownTask): JsonObject {
  const seconds = task.delivered.seconds ?? task.job.seconds;
  const isCompleted = task.status === "completed";
  return {
    ...renderTask(task),
    ...(task.isNew ? {} : { completed_at: task.completedAtSeconds ?? 0 }),
    ...(isCompleted && seconds !== null ? { duration: Math.round(seconds) } : {}),
  };
}
