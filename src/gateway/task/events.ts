// A task's changes as server-sent events, from how it is now until it has ended.
import { GatewayError } from "../../core/errors.ts";
import type { AccountId, TaskId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { encodeEvent } from "../../core/sse.ts";
import type { TaskBook } from "../../tasks/book.ts";
import { eventOf, isTerminal, shownStates, type Task } from "../../tasks/task.ts";
import type { ByteSource } from "../answer.ts";

interface TaskEventsNeeds {
  book: TaskBook;
  render(task: Task): JsonObject;
}

/** Each takes a place among all the streams that the gateway may have open. */
export const sourcesPerAccountMax = 100;

/** The changes of one task, as events. */
interface FollowedTask extends ByteSource {
  /** Resolves when no more changes follow: the task has ended, or nobody waits for it. */
  readonly ended: Promise<void>;
}

export class TaskEvents {
  readonly #needs: TaskEventsNeeds;
  readonly #sources = new Map<TaskId, Set<TaskSource>>();
  readonly #counts = new Map<AccountId, number>();

  constructor(needs: TaskEventsNeeds) {
    this.#needs = needs;
  }

  /** Told of every change. */
  changed(task: Task): void {
    for (const source of this.#sources.get(task.id) ?? []) source.push(task);
  }

  /** Told of how a task is that another node has. */
  heard(task: Task): void {
    for (const source of this.#sources.get(task.id) ?? []) source.catchUp(task);
  }

  /** Those that somebody waits for. */
  followed(): TaskId[] {
    return [...this.#sources.keys()];
  }

  /** Shown as its reader is to see it. */
  open(task: Task, render: TaskEventsNeeds["render"] = this.#needs.render): FollowedTask {
    const { id, accountId } = task;
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= sourcesPerAccountMax) {
      const message = `An account may follow ${sourcesPerAccountMax} tasks at once.`;
      throw new GatewayError("rate_limit_exceeded", { message, retryAfterSeconds: 5 });
    }
    this.#counts.set(accountId, count + 1);
    const source = new TaskSource(render, () => this.#leave(task, source));
    const others = this.#sources.get(id);
    if (others) others.add(source);
    else this.#sources.set(id, new Set([source]));
    source.push(this.#needs.book.latest(task));
    return source;
  }

  /** Nobody waits for the ends of tasks while the process ends. */
  close(): void {
    for (const sources of this.#sources.values()) {
      for (const source of sources) source.interrupt();
    }
  }

  #leave({ id, accountId }: Task, source: TaskSource): void {
    const sources = this.#sources.get(id);
    sources?.delete(source);
    if (sources?.size === 0) this.#sources.delete(id);
    const count = (this.#counts.get(accountId) ?? 1) - 1;
    if (count > 0) this.#counts.set(accountId, count);
    else this.#counts.delete(accountId);
  }
}

class TaskSource implements FollowedTask {
  readonly #render: TaskEventsNeeds["render"];
  readonly #leave: () => void;
  /** Not yet taken; coalesced to one for each state, so that a slow reader costs nothing. */
  #waiting: Task[] = [];
  #last: Task | null = null;
  #ready: (() => void) | null = null;
  #isOver = false;
  readonly #ended = Promise.withResolvers<void>();

  constructor(render: TaskEventsNeeds["render"], leave: () => void) {
    this.#render = render;
    this.#leave = leave;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  push(task: Task): void {
    if (this.#isOver) return;
    const last = this.#waiting.at(-1);
    if (last && shownStates[last.state] === shownStates[task.state]) this.#waiting.pop();
    this.#waiting.push(task);
    this.#last = task;
    if (isTerminal(task.state)) this.#end();
    this.#wake();
  }

  /** Nobody is told twice how it is. */
  catchUp(task: Task): void {
    const last = this.#last;
    const isKnown =
      last?.state === task.state &&
      last.progress === task.progress &&
      Bun.deepEquals(last.result, task.result);
    if (!isKnown) this.push(task);
  }

  take(ready: () => void): Uint8Array | null | undefined {
    const task = this.#waiting.shift();
    if (task) {
      return encodeEvent(JSON.stringify({ type: eventOf(task), data: this.#render(task) }));
    }
    if (this.#isOver) return null;
    this.#ready = ready;
    return undefined;
  }

  cancel(): void {
    this.#waiting = [];
    this.interrupt();
  }

  interrupt(): void {
    this.#end();
    this.#wake();
  }

  #wake(): void {
    const ready = this.#ready;
    this.#ready = null;
    ready?.();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    this.#ended.resolve();
  }
}
