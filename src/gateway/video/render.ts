// A video task as its family's clients read it.
import type { JsonObject } from "../../core/json.ts";
import type { TaskView, VideoFamily } from "../../families/family.ts";
import { videoFamilies } from "../../families/index.ts";
import { readJob } from "../../families/job-row.ts";
import { shownStates, type Task } from "../../tasks/task.ts";

/** Where a client finds the result; null when it is not in our own storage. */
export type LinkTo = (task: Task) => string | null;

export function familyOf({ family }: Task): VideoFamily {
  const found = videoFamilies.find(({ name }) => name === family);
  if (!found) throw new TypeError(`a task is of the family ${family}, which is gone`);
  return found;
}

export function renderVideo(task: Task, linkTo: LinkTo, isNew: boolean = false): JsonObject {
  return familyOf(task).render(toView(task, linkTo, isNew));
}

export function toView(task: Task, linkTo: LinkTo, isNew: boolean): TaskView {
  const { id, model, state, progress, createdAtMs, completedAtMs, error, delivered, job } = task;
  return {
    id,
    model,
    status: shownStates[state],
    progress: state === "completed" ? 100 : progress,
    createdAtSeconds: Math.floor(createdAtMs / 1000),
    completedAtSeconds: completedAtMs === null ? null : Math.floor(completedAtMs / 1000),
    videoUrl: state === "completed" ? linkTo(task) : null,
    error,
    delivered,
    job: readJob(job),
    isNew,
  };
}
