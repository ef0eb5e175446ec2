// An image task as its owner reads it.
import type { JsonObject } from "../../../core/json.ts";
import { readImageRow } from "../../../families/image-row.ts";
import type { MediaStore } from "../../../media/media.ts";
import { shownStates, type KeptImage, type Task } from "../../../tasks/task.ts";
import { renderUsage } from "../render-image.ts";

/** With links to the pictures, which live for a while and are new at each query. */
export function renderImageTask(task: Task, media: Pick<MediaStore, "link">): JsonObject {
  const { result } = task;
  const images = result?.kind === "images" ? result : null;
  return {
    ...renderAround(task),
    ...(images && { data: images.items.map((item) => renderItem(item, media)) }),
  };
}

/** The answer to its creation. */
export function renderNewImageTask(task: Task): JsonObject {
  return { ...renderAround(task), taskId: task.id };
}

/** All but the pictures. */
export function renderAround(task: Task): JsonObject {
  const { id, model, state, createdAtMs, completedAtMs, error, result } = task;
  const row = readImageRow(task.job);
  const images = result?.kind === "images" ? result : null;
  const size = images?.size ?? row.size;
  const quality = images?.quality ?? row.quality;
  return {
    id,
    task_id: id,
    object: "image.generation.task",
    model,
    status: shownStates[state],
    progress: `${state === "completed" ? 100 : task.progress}%`,
    created_at: Math.floor(createdAtMs / 1000),
    ...(completedAtMs !== null && { completed_at: Math.floor(completedAtMs / 1000) }),
    ...(size !== null && { size }),
    ...(quality !== null && { quality }),
    ...(images?.usage && { usage: renderUsage(images.usage) }),
    ...(error && { error: { message: error.message, code: error.code } }),
  };
}

function renderItem({ mediaId, ...rest }: KeptImage, media: Pick<MediaStore, "link">): JsonObject {
  return { url: media.link(mediaId), ...renderRevised(rest) };
}

export function renderRevised({ revisedPrompt }: Pick<KeptImage, "revisedPrompt">): JsonObject {
  return revisedPrompt === null ? {} : { revised_prompt: revisedPrompt };
}
