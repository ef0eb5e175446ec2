// The book of tasks: every change of a task and of its money is one commit, and what the book shows
// is what is safe. Open tasks are kept in memory, ended ones in the database.
import { assert } from "../core/assert.ts";
import type { Clock } from "../core/clock.ts";
import type { TaskId } from "../core/ids.ts";
import { Lru } from "../core/lru.ts";
import { micros, type Micros } from "../core/money.ts";
import type { Balances } from "../quota/balances.ts";
import type { Ask, Ledger, Reservation } from "../quota/ledger.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { readOpenTasks, readTask } from "./queries.ts";
import { fromRow, toChange, toInsert } from "./row.ts";
import { isTerminal, transitions, type Task, type TaskError, type TaskProgress } from "./task.ts";

export interface BookParts {
  ledger: Ledger;
  balances: Balances;
  database: Database;
  store: Store;
  clock: Clock;
  /** Told of each change once it is safe. */
  changed(task: Task): void;
}

interface OpenTask {
  task: Task;
  reservation: Reservation;
  /** A change is on its way to the disk: no other may overtake it. */
  changing: Promise<void> | null;
}

const endedMax = 2000;

export class TaskBook {
  readonly #parts: BookParts;
  readonly #open = new Map<TaskId, OpenTask>();
  readonly #ended = new Lru<TaskId, Task>(endedMax);

  constructor(parts: BookParts) {
    this.#parts = parts;
  }

  /** Takes over what the last process left open; returns it. */
  async load(): Promise<Task[]> {
    const { database, balances, ledger } = this.#parts;
    for (const row of await readOpenTasks(database)) {
      const task = fromRow(row);
      const [account, key] = await Promise.all([
        balances.account(task.accountId),
        balances.key(task.keyId),
      ]);
      assert(account !== null && key !== null, "a task has an account and a key");
      const { id, group, model } = task;
      const price = JSON.stringify(task.price);
      const held = micros(task.heldMicros);
      const ask: Ask = { id, account, key, group, model, micros: held, price, isTask: true };
      this.#open.set(id, { task, reservation: ledger.adopt(ask), changing: null });
    }
    return [...this.#open.values()].map(({ task }) => task);
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Holds the money and records the intent, both or neither, before anyone is called. */
  async add(task: Task, ask: Omit<Ask, "id" | "isTask">): Promise<void> {
    const { ledger } = this.#parts;
    const reservation = ledger.reserve({ ...ask, id: task.id, isTask: true });
    const written = ledger.join("tasks", toInsert(task));
    this.#open.set(task.id, { task, reservation, changing: written });
    await written;
    this.#settle(task.id, task);
  }

  /** Null when there is none, or it was deleted. */
  async find(id: TaskId): Promise<Task | null> {
    const known = this.#open.get(id)?.task ?? this.#ended.get(id);
    if (known) return known.deletedAtMs === null ? known : null;
    await this.#parts.store.applied();
    const row = await readTask(this.#parts.database, id);
    if (!row || row.deleted_at_ms !== null) return null;
    const task = fromRow(row);
    if (isTerminal(task.state)) this.#ended.set(id, task);
    return task;
  }

  /** The task as it is at this moment, when it is still open and nothing is being changed. */
  peek(id: TaskId): Task | null {
    const open = this.#open.get(id);
    return open && !open.changing ? open.task : null;
  }

  isOpen(id: TaskId): boolean {
    return this.#open.has(id);
  }

  /** Percentages are not worth a write. */
  note(id: TaskId, progress: number): void {
    const open = this.#open.get(id);
    if (!open || open.changing || progress <= open.task.progress) return;
    open.task = { ...open.task, progress };
    this.#parts.changed(open.task);
  }

  /** False when the task has ended or another change came first. */
  async change(id: TaskId, changes: Partial<TaskProgress>): Promise<boolean> {
    const open = this.#open.get(id);
    if (!open || open.changing) return false;
    const next = { ...open.task, ...changes };
    assertMay(open.task, next);
    assert(!isTerminal(next.state), "an end has its settlement");
    open.changing = this.#parts.ledger.join("taskChanges", toChange(next));
    await open.changing;
    this.#settle(id, next);
    return true;
  }

  /** Ends it well and charges for it, in one commit. */
  complete(id: TaskId, changes: Partial<TaskProgress>, charge: Charge): Promise<boolean> {
    const done = { ...changes, state: "completed", progress: 100 } as const;
    return this.#end(id, done, (reservation) => {
      this.#parts.ledger.post(reservation, charge.micros, charge.usage);
    });
  }

  /** Ends it without a charge, in one commit. */
  fail(id: TaskId, error: TaskError): Promise<boolean> {
    return this.#end(id, { state: "failed", error }, (reservation) => {
      void this.#parts.ledger.void(reservation, error.code);
    });
  }

  /** Ends one of which nobody knows whether it runs: the customer pays nothing, we may. */
  lose(id: TaskId, error: TaskError): Promise<boolean> {
    return this.#end(id, { state: "failed", error }, (reservation) => {
      void this.#parts.ledger.void(reservation, error.code, reservation.micros);
    });
  }

  /** Hides an ended task. */
  async remove(task: Task): Promise<void> {
    assert(isTerminal(task.state), "only what has ended is removed");
    const next = { ...task, deletedAtMs: this.#parts.clock.nowMs() };
    await this.#parts.ledger.join("taskChanges", toChange(next));
    this.#ended.set(task.id, next);
  }

  async #end(
    id: TaskId,
    changes: Partial<TaskProgress>,
    settle: (reservation: Reservation) => void,
  ): Promise<boolean> {
    const open = this.#open.get(id);
    if (!open || open.changing) return false;
    const completedAtMs = this.#parts.clock.nowMs();
    const next = { ...open.task, ...changes, completedAtMs, nextPollAtMs: null };
    assertMay(open.task, next);
    settle(open.reservation);
    open.changing = this.#parts.ledger.join("taskChanges", toChange(next));
    await open.changing;
    this.#settle(id, next);
    return true;
  }

  #settle(id: TaskId, task: Task): void {
    const open = this.#open.get(id);
    if (!open) return;
    if (isTerminal(task.state)) {
      this.#open.delete(id);
      this.#ended.set(id, task);
    } else {
      open.task = task;
      open.changing = null;
    }
    this.#parts.changed(task);
  }
}

export interface Charge {
  micros: Micros;
  usage: string;
}

function assertMay(from: Task, to: Task): void {
  const isSame = from.state === to.state && !isTerminal(from.state);
  assert(
    isSame || transitions[from.state].includes(to.state),
    `a task does not go from ${from.state} to ${to.state}`,
  );
}
