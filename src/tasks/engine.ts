// Looks after open tasks: asks their vendors how they are doing, each at its own pace, and ends
// them when the vendor has, or when their time is over. It survives a crash at any point, because
// all it knows is in the book.
import type { Clock, Stop, Timers } from "../core/clock.ts";
import type { ChannelId, TaskId } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import type { Random } from "../core/random.ts";
import type { Database } from "../store/database.ts";
import type { TaskBook } from "./book.ts";
import type { Charge } from "./book-needs.ts";
import type { Lease } from "./lease.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { Schedule } from "./schedule.ts";
import type { Delivered, Task, TaskError, TaskResult } from "./task.ts";

/** State of a vendor's job. */
export type Poll =
  | PendingPoll
  | { kind: "completed"; result: TaskResult; delivered: Delivered; charge: Charge }
  | { kind: "failed"; error: TaskError }
  /** Nobody will ever know whether the vendor did it, and charges for it. */
  | { kind: "lost"; error: TaskError }
  /** The vendor could not be asked, or said nothing that is known: it is asked again. */
  | { kind: "unclear" };

interface PendingPoll {
  kind: "pending";
  state: "queued" | "in_progress";
  progress: number | null;
  /** The result so far; null takes back the one before. */
  result?: TaskResult | null;
}

/** The way to the vendors, which knows their protocols. */
export interface Worker {
  poll(task: Task): Promise<Poll>;
  /** Looks for a job whose start got no answer; "never" where the vendor cannot be asked. */
  find(task: Task): Promise<{ operation: string } | "absent" | "never" | "unclear">;
  /** The most polls of a channel at once, where they must wait for each other. */
  pollsMax(channelId: ChannelId): number;
}

interface EngineNeeds {
  book: TaskBook;
  lease: Lease;
  database: Database;
  worker: Worker;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  pace: Pace;
  /** Looked up before a vendor is asked, where other nodes may have taken it. */
  isStillOwn(id: TaskId): Promise<boolean>;
  /** Told of tasks that were another process's before. */
  taken(tasks: Task[]): void;
}

export interface Pace {
  firstMs: number;
  growth: number;
  mostMs: number;
}

/** Times are on the clock that never goes back: no jump of the other one ends a task. */
interface Watched {
  polls: number;
  deadlineMs: number;
  lastMs: number;
  /** Null while it is being looked at, or waits in line for that. */
  dueMs: number | null;
}

/** The polls of one channel. */
interface Lane {
  running: number;
  waiting: TaskId[];
}

const tickMs = 100;
/** A vendor's list may be a moment behind its jobs. */
const searchesMin = 3;
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
  readonly #needs: EngineNeeds;
  readonly #schedule = new Schedule();
  readonly #watched = new Map<TaskId, Watched>();
  readonly #lanes = new Map<ChannelId, Lane>();
  readonly #keeper: LeaseKeeper;
  readonly #stop: Stop;
  #isClosed = false;

  constructor(needs: EngineNeeds) {
    this.#needs = needs;
    this.#keeper = new LeaseKeeper({ ...needs, taken: (tasks) => this.#take(tasks) });
    this.#stop = needs.timers.every(tickMs, () => this.#tick());
  }

  /** Takes up what the last process left. */
  async resume(): Promise<Task[]> {
    return await this.#keeper.claim();
  }

  /** Looks after a task from now on. */
  watch(task: Task): void {
    this.#plan(task, this.#delayMs(0));
  }

  /** Someone asks about the task: its vendor is asked before its turn, unless it just was. */
  nudge(id: TaskId): void {
    const nowMs = this.#nowMs;
    const watched = this.#watched.get(id);
    if (!watched || watched.dueMs === null || watched.dueMs <= nowMs) return;
    if (nowMs - watched.lastMs < this.#needs.pace.firstMs) return;
    watched.dueMs = nowMs;
    this.#schedule.add(id, nowMs);
  }

  /** Ends no task, and takes no answer of a vendor any more: the next process asks again. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** At the end of the process, once nothing changes tasks any more. */
  async release(): Promise<void> {
    await this.#keeper.release();
  }

  get #mayAct(): boolean {
    return !this.#isClosed && this.#needs.lease.isHeld;
  }

  async #take(tasks: Task[]): Promise<void> {
    const { book, taken } = this.#needs;
    taken(tasks);
    const taking = tasks.map(async (task) => {
      // Its process died while it was calling the vendor.
      if (task.state === "submitting") await book.change(task.id, { state: "unknown" });
      this.#plan(task, 0);
    });
    await Promise.all(taking);
  }

  get #nowMs(): number {
    return this.#needs.clock.monotonicMs();
  }

  #plan({ id, deadlineAtMs }: Task, inMs: number): void {
    const nowMs = this.#nowMs;
    const deadlineMs = nowMs + deadlineAtMs - this.#needs.clock.nowMs();
    const dueMs = nowMs + inMs;
    this.#watched.set(id, { polls: 0, deadlineMs, lastMs: nowMs, dueMs });
    this.#schedule.add(id, dueMs);
  }

  #tick(): void {
    if (!this.#mayAct) return this.#standDown();
    const nowMs = this.#nowMs;
    for (let due = this.#schedule.take(nowMs); due; due = this.#schedule.take(nowMs)) {
      const watched = this.#watched.get(due.id);
      // It was looked at before its turn, and has another one now.
      if (watched?.dueMs !== due.atMs) continue;
      watched.dueMs = null;
      const task = this.#find(due.id, watched);
      if (task) this.#line(task);
    }
  }

  /** Those in line have their turn again once it is known whose they are. */
  #standDown(): void {
    const waiting = [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    for (const id of waiting) {
      const watched = this.#watched.get(id);
      if (watched) this.#again(id, watched, 0);
    }
  }

  /** Look at a task that is being changed a moment later; at one that has ended, never again. */
  #find(id: TaskId, watched: Watched): Task | null {
    const { book } = this.#needs;
    const task = book.peek(id);
    if (task) return task;
    if (book.isOpen(id)) this.#again(id, watched, tickMs);
    else this.#watched.delete(id);
    return null;
  }

  #again(id: TaskId, watched: Watched, inMs: number): void {
    watched.dueMs = this.#nowMs + inMs;
    this.#schedule.add(id, watched.dueMs);
  }

  #line({ id, channelId }: Task): void {
    let lane = this.#lanes.get(channelId);
    if (!lane) this.#lanes.set(channelId, (lane = { running: 0, waiting: [] }));
    lane.waiting.push(id);
    this.#advance(channelId, lane);
  }

  #advance(channelId: ChannelId, lane: Lane): void {
    while (this.#mayAct && lane.running < this.#needs.worker.pollsMax(channelId)) {
      const id = lane.waiting.shift();
      if (id === undefined) break;
      const watched = this.#watched.get(id);
      const task = watched ? this.#find(id, watched) : null;
      if (!watched || !task) continue;
      lane.running++;
      void this.#attend(task, watched).finally(() => {
        lane.running--;
        if (this.#needs.book.isOpen(id)) this.#again(id, watched, this.#delayMs(watched.polls));
        else this.#watched.delete(id);
        this.#advance(channelId, lane);
      });
    }
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(channelId);
  }

  async #attend(task: Task, watched: Watched): Promise<void> {
    const isOverdue = this.#nowMs >= watched.deadlineMs;
    watched.polls++;
    watched.lastMs = this.#nowMs;
    await this.#orLog(task, this.#ask(task, watched.polls));
    if (isOverdue) await this.#orLog(task, this.#expire(task));
  }

  async #ask(task: Task, polls: number): Promise<void> {
    const { lease, isStillOwn } = this.#needs;
    if (!lease.isSole && !(await isStillOwn(task.id))) return;
    await (task.state === "unknown" ? this.#search(task, polls) : this.#poll(task));
  }

  async #orLog({ id }: Task, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const fields = { task: id, error: describe(error) };
      this.#needs.log.error("a task could not be looked after", fields);
    }
  }

  async #poll(task: Task): Promise<void> {
    const { book, worker } = this.#needs;
    const poll = await worker.poll(task);
    if (!this.#mayAct) return;
    switch (poll.kind) {
      case "pending":
        return await this.#pend(task, poll);
      case "completed": {
        const { result, delivered, charge } = poll;
        await book.complete(task.id, { result, delivered }, charge);
        return;
      }
      case "failed":
        await book.fail(task.id, poll.error);
        return;
      case "lost":
        await book.lose(task.id, poll.error);
        return;
      case "unclear":
        return;
    }
  }

  async #pend(task: Task, poll: PendingPoll): Promise<void> {
    const { book } = this.#needs;
    const progress = toPercent(poll.progress, task.progress);
    const { result = task.result } = poll;
    // A task that has begun does not go back into the queue, whatever the vendor calls it.
    const state = poll.state === "in_progress" ? poll.state : task.state;
    if (state !== task.state || !Bun.deepEquals(result, task.result)) {
      await book.change(task.id, { state, progress, result });
    } else if (this.#needs.lease.isSole || progress <= task.progress) {
      book.note(task.id, progress);
    } else {
      // A client that asks another node reads the row.
      await book.change(task.id, { progress });
    }
  }

  async #search(task: Task, searches: number): Promise<void> {
    const { book, worker } = this.#needs;
    const sought = await worker.find(task);
    if (!this.#mayAct) return;
    if (typeof sought === "object") {
      await book.change(task.id, { state: "queued", operation: sought.operation });
    } else if (sought === "absent" && searches >= searchesMin) {
      await book.fail(task.id, neverStarted);
    } else if (sought === "never") {
      await book.lose(task.id, lost);
    }
  }

  async #expire(task: Task): Promise<void> {
    const { book } = this.#needs;
    // A task that has just moved on is looked at once more.
    if (!this.#mayAct || book.peek(task.id)?.state !== task.state) return;
    // The vendor may be working on it still, and charge for it.
    await book.lose(task.id, task.state === "unknown" ? lost : overdue);
  }

  /** A vendor is asked often at first and ever less; chance keeps tasks from marching in step. */
  #delayMs(polls: number): number {
    const { firstMs, growth, mostMs } = this.#needs.pace;
    const delayMs = Math.min(firstMs * growth ** polls, mostMs);
    return Math.round(delayMs * (0.9 + 0.2 * this.#needs.random.unit()));
  }
}

/** It only grows, and 100 is for what is done. Vendors say it in whole numbers, or should. */
function toPercent(progress: number | null, before: number): number {
  if (progress === null || !Number.isFinite(progress)) return before;
  return Math.max(before, Math.min(Math.floor(progress), 99));
}
