// The common shape of a video task, as most families and the unified route show it.
import type { JsonObject } from "../../core/json.ts";
import type { ShownTask } from "../family.ts";

export function renderTask(task: ShownTask): JsonObject {
  return {
    ...renderAccepted(task),
    ...(task.status === "completed" ? { completed_at: task.completedAtSeconds ?? 0 } : {}),
    video_url: task.status === "completed" ? (task.videoUrl ?? "") : "",
    ...(task.status === "failed" ? { error: renderError(task) } : {}),
  };
}

/** The unified route's answer to a creation. */
export function renderAccepted(task: ShownTask): JsonObject {
  return {
    id: task.id,
    task_id: task.id,
    object: "video",
    model: task.model,
    status: task.status,
    progress: percent(task),
    created_at: task.createdAtSeconds,
  };
}

export function failure({ error }: ShownTask): { code: string; message: string } {
  return error ?? { code: "task_failed", message: "The video could not be made." };
}

function renderError(task: ShownTask): JsonObject {
  const { code, message } = failure(task);
  return { message, code };
}

function percent({ status, progress, isNew }: ShownTask): number {
  if (status === "completed") return 100;
  return isNew || !Number.isFinite(progress) ? 0 : Math.min(Math.max(Math.round(progress), 0), 100);
}
