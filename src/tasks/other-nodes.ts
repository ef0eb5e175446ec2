// Tasks that other nodes have: how they are doing, for those who follow them here, and how one of
// them is taken over. Other nodes tell of their changes; since that may be lost, what is followed
// is also read once a second, and what is polled is looked up before.
import { sleep, type Clock, type Stop, type Timers } from "../core/clock.ts";
import type { TaskId } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import { endChore, takeChore } from "../store/chores.ts";
import type { Database } from "../store/database.ts";
import type { Sharing } from "../store/sharing.ts";
import type { TaskBook } from "./book.ts";
import type { Lease } from "./lease.ts";
import { readTasks } from "./queries.ts";
import { fromRow } from "./row.ts";
import { isTerminal, type Task } from "./task.ts";

interface OtherNodesNeeds {
  book: TaskBook;
  lease: Lease;
  database: Database;
  /** Undefined where there are no others. */
  sharing: Pick<Sharing, "tell" | "hear"> | undefined;
  clock: Clock;
  timers: Timers;
  log: Log;
  /** Those whose changes somebody waits for here. */
  followed(): readonly TaskId[];
  /** Told of how a task is that another node has. */
  heard(task: Task): void;
  /** Told of a task that is this node's from now on. */
  taken(task: Task): void;
}

const lookMs = 1000;
const readMax = 500;
const waitMs = 50;
/** Longer than any vendor takes to answer; whoever died with it is then out of the way. */
export const aloneMsMax = 120_000;
export const aloneName = "end ";

export class OtherNodes {
  readonly #needs: OtherNodesNeeds;
  readonly #alone = new Map<TaskId, Promise<unknown>>();
  readonly #stop: Stop;
  #looking: Promise<void> | null = null;

  constructor(needs: OtherNodesNeeds) {
    this.#needs = needs;
    const { sharing, timers } = needs;
    this.#stop = sharing ? timers.every(lookMs, () => this.#look()) : () => {};
    sharing?.hear((subjects) => void this.#hear(subjects as readonly TaskId[]));
  }

  /** Tell of a task of this node, once that is safe. */
  tell({ id }: Pick<Task, "id">): void {
    this.#needs.sharing?.tell(id);
  }

  /**
   * Runs the work with the task as this node's own: taken from the node that has it, while it is in
   * such a state. Null where it is not open, or in another one. One at a time on all nodes: who
   * comes later finds what the one before has done.
   */
  async withOwn<Result>(
    id: TaskId,
    states: readonly Task["state"][],
    work: (task: Task | null) => Promise<Result>,
  ): Promise<Result> {
    const before = this.#alone.get(id) ?? Promise.resolve();
    const turn = before.then(() => this.#amongAll(id, () => this.#withOwn(id, states, work)));
    const ended = turn.catch(() => {});
    this.#alone.set(id, ended);
    try {
      return await turn;
    } finally {
      if (this.#alone.get(id) === ended) this.#alone.delete(id);
    }
  }

  /** False when another node has it by now; then it is forgotten here. */
  async isStillOwn(id: TaskId): Promise<boolean> {
    const { sharing, book } = this.#needs;
    if (sharing) await book.find(id);
    return book.isOpen(id);
  }

  close(): void {
    this.#stop();
  }

  async #withOwn<Result>(
    id: TaskId,
    states: readonly Task["state"][],
    work: (task: Task | null) => Promise<Result>,
  ): Promise<Result> {
    const { book, sharing } = this.#needs;
    if (!sharing) return await work(book.peek(id));
    // A task that another node has taken is forgotten here by that.
    await book.find(id);
    if (book.isOpen(id)) return await work(book.peek(id));
    const task = await book.takeOver(id, states);
    if (!task) return await work(null);
    sharing.tell(id);
    try {
      return await work(task);
    } finally {
      // Nobody looks after it before: that might begin what is to be ended.
      if (book.isOpen(id)) this.#needs.taken(book.latest(task));
    }
  }

  async #amongAll<Result>(id: TaskId, work: () => Promise<Result>): Promise<Result> {
    const { sharing, database, clock, timers } = this.#needs;
    if (!sharing) return await work();
    const name = aloneName + id;
    const take = () => takeChore(database, { name, nowMs: clock.nowMs(), periodMs: aloneMsMax });
    while (!(await take())) await sleep(timers, waitMs);
    try {
      return await work();
    } finally {
      await endChore(database, name).catch(() => {});
    }
  }

  async #hear(ids: readonly TaskId[]): Promise<void> {
    const { book, followed } = this.#needs;
    const awaited = new Set(followed());
    const wanted = ids.filter((id) => book.isOpen(id) || awaited.has(id));
    await this.#check(wanted).catch((error: unknown) => this.#fault(error));
  }

  #look(): void {
    const { book, followed } = this.#needs;
    if (this.#looking) return;
    const elsewhere = followed().filter((id) => !book.isOpen(id));
    if (elsewhere.length === 0) return;
    this.#looking = this.#check(elsewhere)
      .catch((error: unknown) => this.#fault(error))
      .finally(() => (this.#looking = null));
  }

  async #check(ids: readonly TaskId[]): Promise<void> {
    const { book, database, lease, heard } = this.#needs;
    for (let at = 0; at < ids.length; at += readMax) {
      const some = ids.slice(at, at + readMax);
      const before = new Map(some.map((id) => [id, book.peek(id)]));
      for (const row of await readTasks(database, some)) {
        const { id, owner, state } = row;
        // A task that was taken back meanwhile is this node's, whatever the row said a moment ago.
        const isSame = book.peek(id) === before.get(id);
        const isElsewhere = owner !== lease.owner || isTerminal(state);
        if (isSame && isElsewhere && before.get(id)) book.forget([id]);
        if (!book.isOpen(id)) heard(fromRow(row));
      }
    }
  }

  #fault(error: unknown): void {
    const fields = { error: describe(error) };
    this.#needs.log.warn("tasks of other nodes could not be read", fields);
  }
}
