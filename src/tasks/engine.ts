// Looks after open tasks: asks their vendors how they are doing, each at its own pace, and ends them
// when the vendor has, or when their time is over. It survives a crash at any point, because all it
// knows is in the book.
import type { Clock, Stop, Timers } from "../core/clock.ts";
import type { ChannelId, TaskId } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import type { Random } from "../core/random.ts";
import type { Charge, TaskBook } from "./book.ts";
import { Schedule } from "./schedule.ts";
import type { Delivered, Task, TaskError, TaskResult } from "./task.ts";

/** How a vendor's job is doing. */
export type Poll =
  | { kind: "pending"; state: "queued" | "in_progress"; progress: number | null }
  | { kind: "completed"; result: TaskResult; delivered: Delivered; charge: Charge }
  | { kind: "failed"; error: TaskError }
  /** The vendor could not be asked, or said nothing that is known: it is asked again. */
  | { kind: "unclear" };

/** The way to the vendors, which knows their protocols. */
export interface Worker {
  poll(task: Task): Promise<Poll>;
  /** Looks for a job whose start got no answer; "never" where the vendor cannot be asked. */
  find(task: Task): Promise<{ operation: string } | "absent" | "never" | "unclear">;
  /** Where a channel's polls must wait for each other. */
  pollsMax(channelId: ChannelId): number;
}

export interface EngineParts {
  book: TaskBook;
  worker: Worker;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  pace: Pace;
}

export interface Pace {
  firstMs: number;
  growth: number;
  mostMs: number;
}

const tickMs = 50;
const overdue: TaskError = { code: "task_expired", message: "The task was not done in time." };
const neverStarted: TaskError = {
  code: "task_failed",
  message: "The upstream never began to work on the task.",
};
const lost: TaskError = {
  code: "task_failed",
  message: "It is not known whether the upstream began to work on the task.",
};

export class TaskEngine {
  readonly #parts: EngineParts;
  readonly #schedule = new Schedule();
  /** Polls on their way, by channel, and what waits for a place among them. */
  readonly #running = new Map<ChannelId, number>();
  readonly #waiting = new Map<ChannelId, TaskId[]>();
  readonly #polls = new Map<TaskId, number>();
  readonly #flights = new Set<Promise<void>>();
  readonly #stop: Stop;
  #isClosed = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#stop = parts.timers.every(tickMs, () => this.#tick());
  }

  /** Takes up what the last process left. */
  async resume(): Promise<number> {
    const { book, clock } = this.#parts;
    const tasks = await book.load();
    for (const task of tasks) {
      // The last process died while it was calling the vendor.
      if (task.state === "submitting") await book.change(task.id, { state: "unknown" });
      this.#schedule.add(task.id, clock.nowMs());
    }
    return tasks.length;
  }

  /** Looks after a task from now on. */
  watch({ id }: Task): void {
    this.#schedule.add(id, this.#parts.clock.nowMs() + this.#delayMs(id));
  }

  /** Ends no task: they are taken up again by the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await Promise.allSettled(this.#flights);
  }

  #tick(): void {
    const nowMs = this.#parts.clock.nowMs();
    for (let due = this.#schedule.take(nowMs); due; due = this.#schedule.take(nowMs)) {
      const task = this.#parts.book.peek(due.id);
      if (task) this.#enqueue(task);
      // What is being changed just now is looked at a moment later; what has ended, never again.
      else if (this.#parts.book.isOpen(due.id)) this.#schedule.add(due.id, nowMs + tickMs);
      else this.#polls.delete(due.id);
    }
  }

  #enqueue(task: Task): void {
    const { channelId } = task;
    const running = this.#running.get(channelId) ?? 0;
    if (running >= this.#parts.worker.pollsMax(channelId)) {
      const line = this.#waiting.get(channelId);
      if (line) line.push(task.id);
      else this.#waiting.set(channelId, [task.id]);
      return;
    }
    this.#running.set(channelId, running + 1);
    const flight = this.#attend(task)
      .catch((error: unknown) => {
        this.#parts.log.error("a task could not be looked after", {
          task: task.id,
          error: describe(error),
        });
      })
      .finally(() => {
        this.#flights.delete(flight);
        this.#leave(channelId);
        if (this.#parts.book.isOpen(task.id)) this.watch(task);
        else this.#polls.delete(task.id);
      });
    this.#flights.add(flight);
  }

  #leave(channelId: ChannelId): void {
    this.#running.set(channelId, (this.#running.get(channelId) ?? 1) - 1);
    const next = this.#waiting.get(channelId)?.shift();
    if (next === undefined || this.#isClosed) return;
    this.#schedule.add(next, this.#parts.clock.nowMs());
  }

  async #attend(task: Task): Promise<void> {
    const { book, clock } = this.#parts;
    this.#polls.set(task.id, (this.#polls.get(task.id) ?? 0) + 1);
    const isOverdue = clock.nowMs() >= task.deadlineAtMs;
    if (task.state === "unknown") return await this.#search(task, isOverdue);
    if (task.operation === null) return;
    const poll = await this.#parts.worker.poll(task);
    switch (poll.kind) {
      case "pending":
        await this.#pend(task, poll);
        break;
      case "completed": {
        const { result, delivered, charge } = poll;
        await book.complete(task.id, { result, delivered }, charge);
        return;
      }
      case "failed":
        await book.fail(task.id, poll.error);
        return;
      case "unclear":
        break;
    }
    if (isOverdue) await book.fail(task.id, overdue);
  }

  async #pend(task: Task, { state, progress }: Extract<Poll, { kind: "pending" }>): Promise<void> {
    const { book } = this.#parts;
    // A task that has begun does not go back into the queue, whatever the vendor calls it.
    if (state === "in_progress" && task.state === "queued") {
      await book.change(task.id, { state, progress: progress ?? task.progress });
    } else if (progress !== null) {
      book.note(task.id, Math.min(progress, 99));
    }
  }

  async #search(task: Task, isOverdue: boolean): Promise<void> {
    const { book, worker } = this.#parts;
    const found = await worker.find(task);
    if (typeof found === "object") {
      await book.change(task.id, { state: "queued", operation: found.operation });
    } else if (found === "absent" && (this.#polls.get(task.id) ?? 0) >= searchesMin) {
      await book.fail(task.id, neverStarted);
    } else if (found === "never" || isOverdue) {
      await book.lose(task.id, lost);
    }
  }

  /** A vendor is asked often at first and ever less; chance keeps tasks from marching in step. */
  #delayMs(id: TaskId): number {
    const { firstMs, growth, mostMs } = this.#parts.pace;
    const polls = this.#polls.get(id) ?? 0;
    const delayMs = Math.min(firstMs * growth ** polls, mostMs);
    return Math.round(delayMs * (0.9 + 0.2 * this.#parts.random.unit()));
  }
}

/** A vendor's list may be a moment behind its jobs. */
const searchesMin = 3;
