// An imgF task in the words of its dialect.
import type { JsonObject } from "../../core/json.ts";
import { renderImgF, type ImgFView } from "../../families/index.ts";
import { readImgFRow } from "../../families/img-f-row.ts";
import type { MediaStore } from "../../media/media.ts";
import { shownStates, type ImgFResult, type Task } from "../../tasks/task.ts";

export function resultOf({ result }: Task): ImgFResult | null {
  return result?.kind === "img-f" ? result : null;
}

export function renderImgFTask(task: Task, media: Pick<MediaStore, "link">): JsonObject {
  const { id, job, state, progress, createdAtMs, completedAtMs, operation, error } = task;
  const result = resultOf(task);
  const image = result?.image ?? null;
  return renderImgF({
    id,
    job: readImgFRow(job),
    status: statusOf(task),
    progress: state === "completed" ? 100 : progress,
    submittedAtMs: createdAtMs,
    startedAtMs: operation === null ? null : createdAtMs,
    endedAtMs: completedAtMs,
    imageUrl: image && media.link(image.mediaId),
    failReason: error?.message ?? null,
    promptEn: result?.promptEn ?? null,
    description: result?.description ?? null,
    buttons: result?.buttons ?? [],
    properties: result?.properties ?? {},
  });
}

function statusOf(task: Task): ImgFView["status"] {
  const status = shownStates[task.state];
  const isOpen = status === "queued" || status === "in_progress";
  return isOpen && resultOf(task)?.isModal ? "modal" : status;
}
