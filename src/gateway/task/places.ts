// A task takes up its channel until it has ended, as a request does until it is answered.
import type { TaskId } from "../../core/ids.ts";
import type { Channels } from "../../distribution/channels.ts";
import { isTerminal, type Task } from "../../tasks/task.ts";

export class TaskPlaces {
  readonly #releases = new Map<TaskId, () => void>();

  take(id: TaskId, release: () => void): void {
    this.#releases.set(id, release);
  }

  /** Take over the last process's tasks, which are still on their channels. */
  adopt(tasks: readonly Task[], channels: Channels): void {
    for (const { id, channelId } of tasks) {
      const channel = channels.find(channelId);
      if (!channel) continue;
      channel.inFlight++;
      this.take(id, () => channel.inFlight--);
    }
  }

  changed({ id, state }: Task): void {
    if (isTerminal(state)) this.leave(id);
  }

  leave(id: TaskId): void {
    this.#releases.get(id)?.();
    this.#releases.delete(id);
  }
}
