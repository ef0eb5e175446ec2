// The book of tasks: every change of a task and of its money is one commit, and what the book shows
// is what is safe. Open tasks are kept in memory, ended ones in the database.
import { mediaPriceText } from "../quota/media-price.ts";
import { assert } from "../core/assert.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId, ChannelId, TaskId } from "../core/ids.ts";
import { describe } from "../core/log.ts";
import { Lru } from "../core/lru.ts";
import { micros, zeroMicros } from "../core/money.ts";
import type { AttemptNote } from "../observe/attempt-note.ts";
import type { CapTerms } from "../quota/cap.ts";
import type { Ask, Ledger, Reservation } from "../quota/ledger.ts";
import type { Whereabouts } from "../quota/losses.ts";
import type { TaskTable } from "../store/schema.ts";
import type { ListedRow } from "../store/step.ts";
import type { BookNeeds, Charge, Settlement } from "./book-needs.ts";
import { findKeyMaker, readTask, takeTask } from "./queries.ts";
import { fromRow, toChange, toCreate, toDelivery, toInsert } from "./row.ts";
import {
  assertMay,
  isTerminal,
  type Create,
  type EndedTask,
  type Task,
  type TaskError,
  type TaskProgress,
  type TaskResult,
} from "./task.ts";

interface OpenTask {
  task: Task;
  /** Channels that failed at it before. */
  failedChannels: readonly ChannelId[];
  trail: readonly AttemptNote[];
  reservation: Reservation;
  whereabouts: { channel: Whereabouts["channel"] };
  /** A change is on its way to the disk: no other may overtake it. */
  changing: Promise<void> | null;
}

/** Returns what is to be told of it, null when its owner knows already. */
type Settle = (ledger: Ledger, reservation: Reservation) => Settled | null;
type Settled = Pick<Settlement, "micros" | "counts"> & Partial<Pick<Settlement, "atMs">>;

const endedMax = 2000;
const untried: Pick<Settlement, "failedChannels" | "trail"> = { failedChannels: [], trail: [] };
/** The reason for booking a loss that may never come. */
const unknownOutcome = "unknown outcome";
const uncharged: Settled = { micros: zeroMicros, counts: {} };

export class TaskBook {
  readonly #needs: BookNeeds;
  readonly #open = new Map<TaskId, OpenTask>();
  readonly #ended = new Lru<TaskId, Task>(endedMax);

  constructor(needs: BookNeeds) {
    this.#needs = needs;
  }

  /** Takes up tasks that are this node's from now on, with their holds. */
  async adopt(rows: readonly TaskTable[]): Promise<Task[]> {
    const { log } = this.#needs;
    const adopted: Task[] = [];
    const unknown = rows.filter(({ id }) => !this.#open.has(id));
    const held = await this.#needs.balances.heldCaps(unknown.map(({ id }) => id));
    for (const row of unknown) {
      if (this.#open.has(row.id)) continue;
      try {
        const open = await this.#adopt(row, held.get(row.id) ?? []);
        this.#open.set(row.id, open);
        adopted.push(open.task);
      } catch (error) {
        // One row that makes no sense is no reason to leave all others alone.
        log.error("a task cannot be read", { task: row.id, error: describe(error) });
      }
    }
    return adopted;
  }

  /** Gives up tasks that are another node's now, which also settles their holds. */
  forget(ids: readonly TaskId[]): void {
    for (const id of ids) {
      const open = this.#open.get(id);
      if (!open || open.changing) continue;
      this.#needs.ledger.disown(open.reservation);
      this.#open.delete(id);
      this.#needs.forgot(id);
    }
  }

  /** From the node that has it, which hears of it; null where it is in none of the states. */
  async takeOver(id: TaskId, states: readonly Task["state"][]): Promise<Task | null> {
    this.assertHeld();
    const { database, lease } = this.#needs;
    const { owner, untilMs } = lease;
    const row = await takeTask(database, { id, states, owner, untilMs });
    const [task] = row ? await this.adopt([row]) : [];
    return task ?? null;
  }

  /** Throws while other nodes may be acting on the tasks of this one. */
  assertHeld(): void {
    if (!this.#needs.lease.isHeld) throw new GatewayError("overloaded", { retryAfterSeconds: 5 });
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Counts of open tasks by state. */
  countByState(): Map<Task["state"], number> {
    const counts = new Map<Task["state"], number>();
    for (const { task } of this.#open.values()) {
      counts.set(task.state, (counts.get(task.state) ?? 0) + 1);
    }
    return counts;
  }

  /** Holds the money and records the intent, both or neither, before anyone is called. */
  async add(
    task: Task,
    ask: Omit<Ask, "id" | "isTask">,
    create: Create | null = null,
    request: string | null = null,
  ): Promise<void> {
    this.assertHeld();
    const { ledger, lease } = this.#needs;
    const whereabouts = { channel: null };
    const inserted = toInsert(task, lease, request);
    const joined = create ? [toCreate(task, create), inserted] : [inserted];
    const whole = { ...ask, id: task.id, isTask: true, joined, whereabouts };
    const reservation = ledger.tryAdmit(whole) ?? (await ledger.admit(whole));
    const changing = reservation.kept;
    this.#open.set(task.id, { task, reservation, whereabouts, ...untried, changing });
    try {
      await changing;
    } catch (error) {
      this.#open.delete(task.id);
      throw error;
    }
    this.#settle(task);
  }

  /** Null when there is none, or it was deleted. */
  async find(id: TaskId): Promise<Task | null> {
    const { isSole } = this.#needs.lease;
    const task = isSole ? (this.#known(id) ?? (await this.#read(id))) : await this.#look(id);
    return task?.deletedAtMs === null ? task : null;
  }

  /** Member of an organisation whose key made it; null where the account itself did. */
  async findMaker({ keyId }: Task): Promise<AccountId | null> {
    return await findKeyMaker(this.#needs.database, keyId);
  }

  /** The present state of the task; one that ended long ago is as it was given. */
  latest(task: Task): Task {
    // Other nodes may have deleted what has ended: what was read last knows best.
    if (!this.#needs.lease.isSole && isTerminal(task.state)) return task;
    return this.#open.get(task.id)?.task ?? this.#ended.get(task.id) ?? task;
  }

  /** The task as it is at this moment, when it is still open and nothing is being changed. */
  peek(id: TaskId): Task | null {
    const open = this.#open.get(id);
    return open && !open.changing ? open.task : null;
  }

  isOpen(id: TaskId): boolean {
    return this.#open.has(id);
  }

  /** Resolves when what is being changed is safe. */
  async settled(id: TaskId): Promise<void> {
    await this.#open.get(id)?.changing;
  }

  async allSettled(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ changing }) => changing));
  }

  /** Those that are in the database as they are here. */
  settledIds(): TaskId[] {
    return [...this.#open].flatMap(([id, { changing }]) => (changing ? [] : [id]));
  }

  /** Percentages are not worth a write. */
  note(id: TaskId, progress: number): void {
    const open = this.#changeable(id);
    if (!open || progress <= open.task.progress) return;
    open.task = { ...open.task, progress };
    this.#needs.changed(open.task);
  }

  /** False when the task has ended, another change came first, or it may be another node's. */
  async change(id: TaskId, changes: Partial<TaskProgress>): Promise<boolean> {
    const open = this.#changeable(id);
    if (!open) return false;
    const next = { ...open.task, ...changes };
    assert(!isTerminal(next.state), "an end has its settlement");
    assertMay(open.task, next);
    await this.#write(open, next);
    return true;
  }

  /** Ends it well and charges for it, in one commit. */
  complete(id: TaskId, changes: Partial<TaskProgress>, charge: Charge): Promise<boolean> {
    const done = { ...changes, state: "completed", progress: 100 } as const;
    return this.#end(id, done, (ledger, reservation) => {
      const { charged, atMs } = ledger.post(reservation, charge.micros, charge.usage);
      return { micros: charged, counts: charge.counts ?? {}, atMs };
    });
  }

  /** Ends it without a charge, in one commit. */
  fail(id: TaskId, error: TaskError): Promise<boolean> {
    return this.#end(id, { state: "failed", error }, (ledger, reservation) => {
      void ledger.void(reservation, error.code);
      return uncharged;
    });
  }

  /** Ends one of which nobody knows whether it runs: the customer pays nothing, we may. */
  lose(id: TaskId, error: TaskError): Promise<boolean> {
    return this.#end(id, { state: "failed", error }, (ledger, reservation) => {
      void ledger.void(reservation, unknownOutcome, reservation.micros);
      return uncharged;
    });
  }

  /** Ends it without a charge and hides it, in one commit: its owner knows, and nobody is told. */
  drop(id: TaskId, error: TaskError): Promise<boolean> {
    const deletedAtMs = this.#needs.clock.nowMs();
    return this.#end(id, { state: "failed", error, deletedAtMs }, (ledger, reservation) => {
      void ledger.void(reservation, error.code);
      return null;
    });
  }

  /** Remembers channels that failed at an open task, for its record. */
  noteFailed(id: TaskId, tried: Pick<Settlement, "failedChannels" | "trail">): void {
    const open = this.#open.get(id);
    if (!open) return;
    open.failedChannels = [...open.failedChannels, ...tried.failedChannels];
    open.trail = [...open.trail, ...tried.trail];
  }

  /** Hides an ended task. */
  async remove(task: Task): Promise<void> {
    await this.#amend(task, { deletedAtMs: this.#needs.clock.nowMs() });
  }

  /** The result of an ended task is somewhere else now. */
  async move(task: Task, result: TaskResult): Promise<void> {
    await this.#amend(task, { result });
  }

  async #amend(task: Task, changes: Partial<TaskProgress>): Promise<void> {
    const next = { ...this.latest(task), ...changes };
    assert(isTerminal(next.state), "what runs is changed otherwise");
    // At once, so that the next amendment builds on it.
    this.#ended.set(next.id, next);
    const { ledger, lease } = this.#needs;
    await ledger.join(toChange(next, lease.owner));
  }

  async #adopt(row: TaskTable, caps: readonly CapTerms[]): Promise<OpenTask> {
    const { balances, ledger } = this.#needs;
    const task = fromRow(row);
    const wallet = await balances.wallet({ ...task, caps });
    const { id, group, model } = task;
    const price = mediaPriceText(task.price);
    const held = micros(task.heldMicros);
    const whereabouts = { channel: null };
    const owed = { micros: held, price, isTask: true, whereabouts };
    const ask: Ask = { ...wallet, id, group, model, ...owed };
    const reservation = ledger.adopt(ask);
    return { task, reservation, whereabouts, ...untried, changing: null };
  }

  /** Null when it must not be changed now. */
  #changeable(id: TaskId): OpenTask | null {
    const open = this.#open.get(id);
    return open && !open.changing && this.#needs.lease.isHeld ? open : null;
  }

  #known(id: TaskId): Task | undefined {
    return this.#open.get(id)?.task ?? this.#ended.get(id);
  }

  /** Another node may have taken it, ended it or deleted it since. */
  async #look(id: TaskId): Promise<Task | null> {
    const before = this.#open.get(id);
    const row = await readTask(this.#needs.database, id);
    const open = this.#open.get(id);
    const isOwn = row?.owner === this.#needs.lease.owner;
    // A task that is being changed, or was made or taken meanwhile, is not in what was read.
    if (open && (isOwn || open !== before || open.changing)) return open.task;
    this.forget([id]);
    return row && fromRow(row);
  }

  async #read(id: TaskId): Promise<Task | null> {
    await this.#needs.store.applied();
    const row = await readTask(this.#needs.database, id);
    // Meanwhile it may have been deleted.
    const known = this.#known(id);
    if (known || !row) return known ?? null;
    const task = fromRow(row);
    if (isTerminal(task.state)) this.#ended.set(id, task);
    return task;
  }

  async #end(id: TaskId, changes: Partial<TaskProgress>, settle: Settle): Promise<boolean> {
    const known = this.#changeable(id);
    if (!known) return false;
    const record = await this.#needs.prepareRecord?.(known.task);
    // Meanwhile another change may be on its way.
    const open = this.#changeable(id);
    if (!open) return false;
    const { ledger, clock } = this.#needs;
    const nowMs = clock.nowMs();
    const next = { ...open.task, ...changes, completedAtMs: nowMs, nextPollAtMs: null };
    assertMay(open.task, next);
    const delivery = this.#toDelivery(next);
    open.whereabouts.channel = this.#needs.findChannel?.(next.channelId) ?? null;
    const settled = settle(ledger, open.reservation);
    if (settled && record) {
      const { failedChannels, trail } = open;
      ledger.record(record(next, { atMs: nowMs, failedChannels, trail, ...settled }), true);
    }
    await this.#write(open, next, delivery ? [delivery] : []);
    return true;
  }

  #toDelivery(task: EndedTask): ListedRow | null {
    const { tell, log } = this.#needs;
    const { webhookUrl, deletedAtMs } = task;
    if (webhookUrl === null || deletedAtMs !== null) return null;
    try {
      return toDelivery(task, webhookUrl, tell(task));
    } catch (error) {
      // It must end all the same.
      log.error("a callback cannot be told of its task", { task: task.id, error: describe(error) });
      return null;
    }
  }

  async #write(open: OpenTask, next: Task, also: readonly ListedRow[] = []): Promise<void> {
    const { ledger, lease } = this.#needs;
    open.changing = ledger.join(toChange(next, lease.owner), ...also);
    try {
      await open.changing;
    } catch (error) {
      this.#undo(open, error);
      throw error;
    }
    this.#settle(next);
  }

  /** It is as it was, and may be changed again; unless another node has it now. */
  #undo(open: OpenTask, error: unknown): void {
    const { id } = open.task;
    const { reservation } = open;
    if (error instanceof GatewayError && error.code === "conflict") {
      this.#open.delete(id);
      this.#needs.forgot(id);
      return;
    }
    open.changing = null;
    if (reservation.state !== "open") open.reservation = this.#needs.ledger.adopt(reservation);
  }

  #settle(task: Task): void {
    const open = this.#open.get(task.id);
    if (!open) return;
    if (isTerminal(task.state)) {
      this.#open.delete(task.id);
      this.#ended.set(task.id, task);
    } else {
      open.task = task;
      open.changing = null;
    }
    this.#needs.changed(task);
  }
}
