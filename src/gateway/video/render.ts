// A video task as its family's clients read it.
import type { JsonObject } from "../../core/json.ts";
import type { ShownTask, VideoFamily } from "../../families/family.ts";
import { videoFamilies } from "../../families/index.ts";
import { readJob } from "../../families/job-row.ts";
import type { MediaStore } from "../../media/media.ts";
import { shownStates, type Task } from "../../tasks/task.ts";

export function familyOf({ family }: Task): VideoFamily {
  const known = videoFamilies.find(({ name }) => name === family);
  if (!known) throw new TypeError(`a task is of the family ${family}, which is gone`);
  return known;
}

export function renderVideo(
  task: Task,
  media: Pick<MediaStore, "link">,
  isNew: boolean = false,
): JsonObject {
  return familyOf(task).render(toVideoView(task, media, isNew));
}

export function toVideoView(
  task: Task,
  media: Pick<MediaStore, "link">,
  isNew: boolean,
): ShownTask {
  const { id, model, state, progress, createdAtMs, completedAtMs, error, delivered, job, result } =
    task;
  return {
    id,
    model,
    status: shownStates[state],
    progress: state === "completed" ? 100 : progress,
    createdAtSeconds: Math.floor(createdAtMs / 1000),
    completedAtSeconds: completedAtMs === null ? null : Math.floor(completedAtMs / 1000),
    videoUrl: state === "completed" && result?.kind === "kept" ? media.link(result.mediaId) : null,
    error,
    delivered,
    job: readJob(job),
    isNew,
  };
}
