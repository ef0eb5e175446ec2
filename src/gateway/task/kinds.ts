// Particulars of each kind of task: the way to its vendors, and the form its owner reads. The book
// and the engine ask here, and know no kind by name.
import { GatewayError } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { imgFName } from "../../families/img-f-job.ts";
import type { Worker } from "../../tasks/engine.ts";
import { eventOf, type Task } from "../../tasks/task.ts";

export type KindName = "video" | "image" | typeof imgFName;

interface TaskKind {
  worker: Pick<Worker, "poll" | "find">;
  /** The task as its owner reads it. */
  render(task: Task): JsonObject;
  /** The body of its callback, where that is not an event with the task in it. */
  tell?(task: Task): JsonObject;
  /** Ends one that runs, or the refusal; where it is missing, none is ever stopped. */
  stop?(task: Task): Promise<void>;
  /** Told of a task that another node has now. */
  forgot?(id: TaskId): void;
}

/** The imgF models make images as well, and have words of their own for it. */
export function taskKindOf({ kind, family }: Pick<Task, "kind" | "family">): KindName {
  return family === imgFName ? imgFName : kind;
}

export class TaskKinds {
  readonly #kinds = new Map<KindName, TaskKind>();

  add(name: KindName, kind: TaskKind): void {
    this.#kinds.set(name, kind);
  }

  of(task: Task): TaskKind {
    const kind = this.#kinds.get(taskKindOf(task));
    if (!kind) throw new TypeError(`nobody knows tasks of the kind ${taskKindOf(task)}`);
    return kind;
  }

  render(task: Task): JsonObject {
    return this.of(task).render(task);
  }

  tell(task: Task): JsonObject {
    const kind = this.of(task);
    return kind.tell?.(task) ?? { type: eventOf(task), data: kind.render(task) };
  }

  async stop(task: Task): Promise<void> {
    const { stop } = this.of(task);
    if (stop) return await stop(task);
    throw new GatewayError("task_not_finished", {
      message: "The task is running, and tasks of its kind cannot be stopped.",
    });
  }

  forgot(id: TaskId): void {
    for (const kind of this.#kinds.values()) kind.forgot?.(id);
  }

  /** All of them as the engine sees them. */
  worker(pollsPerChannelMax: number): Worker {
    return {
      poll: (task) => this.of(task).worker.poll(task),
      find: (task) => this.of(task).worker.find(task),
      pollsMax: () => pollsPerChannelMax,
    };
  }
}
