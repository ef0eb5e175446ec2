// videoC 2.0 shows a task in a shape of its own.
import type { JsonObject } from "../../core/json.ts";
import type { ShownTask } from "../family.ts";
import { failure } from "../kit/render.ts";

export function render(task: ShownTask): JsonObject {
  const { seconds, tokens } = task.delivered;
  const isCompleted = task.status === "completed";
  return {
    id: task.id,
    object: "video",
    created: task.createdAtSeconds,
    model: task.model,
    status: task.status,
    ...(isCompleted && task.videoUrl !== null ? { video_url: task.videoUrl } : {}),
    ...(isCompleted && seconds !== null ? { actualDuration: Math.round(seconds) } : {}),
    ...(isCompleted && tokens !== null ? { totalTokens: tokens } : {}),
    ...(task.status === "failed" ? { error: failure(task).message } : {}),
  };
}
