// The task engine's view of images that are made by vendors who answer when they are done: there is
// nobody to ask but the process that called them. A process that died took that with it; what it
// had not begun is begun here.
import type { Clock } from "../../../core/clock.ts";
import type { Poll, Worker } from "../../../tasks/engine.ts";
import type { Task, TaskError } from "../../../tasks/task.ts";
import { lost } from "./perform.ts";
import type { ImageRuns } from "./runs.ts";

const overdue: TaskError = { code: "task_expired", message: "The task was not done in time." };

export class ImageWorker implements Pick<Worker, "poll" | "find"> {
  readonly #runs: ImageRuns;
  readonly #clock: Clock;
  readonly #resume: (task: Task) => Promise<TaskError | null>;

  /** `resume` takes in what another process left; it tells why that can never be. */
  constructor(runs: ImageRuns, clock: Clock, resume: (task: Task) => Promise<TaskError | null>) {
    this.#runs = runs;
    this.#clock = clock;
    this.#resume = resume;
  }

  async poll(task: Task): Promise<Poll> {
    const { id, state, deadlineAtMs } = task;
    const isWaiting = state === "queued";
    const isOver = this.#clock.nowMs() >= deadlineAtMs;
    if (!this.#runs.has(id)) {
      if (!isWaiting) return { kind: "lost", error: lost };
      const error = isOver ? overdue : await this.#resume(task);
      if (error) return { kind: "failed", error };
    }
    // A task that was never sent fails; one that was, is broken off.
    if (isOver) void this.#runs.cancel(id, overdue);
    return { kind: "pending", state: isWaiting ? "queued" : "in_progress", progress: null };
  }

  /** No vendor is asked by our own id, since none begins before it answers. */
  async find(): ReturnType<Worker["find"]> {
    return "never";
  }
}
