// The task engine's view of images that are made by vendors who answer when they are done: there is
// nobody to ask but the process that called them. A process that died took that with it.
import type { Clock } from "../../../core/clock.ts";
import type { Poll, Worker } from "../../../tasks/engine.ts";
import type { Task, TaskError } from "../../../tasks/task.ts";
import { lost, neverSent } from "./perform.ts";
import type { ImageRuns } from "./runs.ts";

const overdue: TaskError = { code: "task_expired", message: "The task was not done in time." };

export class ImageWorker implements Pick<Worker, "poll" | "find"> {
  readonly #runs: ImageRuns;
  readonly #clock: Clock;

  constructor(runs: ImageRuns, clock: Clock) {
    this.#runs = runs;
    this.#clock = clock;
  }

  async poll({ id, state, deadlineAtMs }: Task): Promise<Poll> {
    const isWaiting = state === "queued";
    if (!this.#runs.has(id)) {
      // What it asked for is not kept: it is paid back, and its owner may ask anew.
      return isWaiting ? { kind: "failed", error: neverSent } : { kind: "lost", error: lost };
    }
    // What was never sent fails; what was, is broken off.
    if (this.#clock.nowMs() >= deadlineAtMs) void this.#runs.cancel(id, overdue);
    return { kind: "pending", state: isWaiting ? "queued" : "in_progress", progress: null };
  }

  /** No vendor is asked by our own id, since none begins before it answers. */
  async find(): ReturnType<Worker["find"]> {
    return "never";
  }
}
