// A book and an engine over a real ledger and real SQL in memory, for the tests of this module.
// Time moves and promises settle only when the test says so, and the process may die at any write.
import { mainPrograms } from "../app/programs.ts";
import { drainMicrotasks } from "bun:jsc";
import { SimulatedTime, SimulatedTimers } from "../../test/sim/simulated-time.ts";
import type { AccountId, ChannelId, KeyId, TaskId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { Log } from "../core/log.ts";
import { micros } from "../core/money.ts";
import { Balances } from "../quota/balances.ts";
import { Ledger } from "../quota/ledger.ts";
import { ledgerProgram } from "../quota/queries.ts";
import { verify, type Violation } from "../quota/recover.ts";
import { createDatabase, type Database } from "../store/database.ts";
import { SqliteConnection } from "../store/sqlite/connection.ts";
import { mainVersions } from "../store/sqlite/open.ts";
import type { ProgramRun, Row, Store } from "../store/store.ts";
import { TaskBook, type Settlement } from "./book.ts";
import { Lease } from "./lease.ts";
import { TaskEngine, type Pace, type Poll, type Worker } from "./engine.ts";
import { eventOf, type Create, type Task } from "./task.ts";

export const accountId = "acc_1" as AccountId;
export const keyId = "key_1" as KeyId;
const channelId = "chn_1" as ChannelId;
export const grantedMicros = 1_000_000;
export const heldMicros = 100;
export const pending: Poll = { kind: "pending", state: "queued", progress: null };
export const working: Poll = { kind: "pending", state: "in_progress", progress: null };
export const completed: Poll = {
  kind: "completed",
  result: { kind: "kept", mediaId: "med_1.mp4", bytes: 5, type: "video/mp4" },
  delivered: { seconds: 4, tokens: null },
  charge: { micros: micros(80), usage: "4s" },
};

/** One account with money and a key. */
export const books = [
  `insert into account (id, username, password_hash, role, group_name, status, created_at_ms)
   values ('${accountId}', 'one', '', 'user', 'default', 'enabled', 0)`,
  `insert into ledger_account (account_id, unlimited, granted_micros, available_micros)
   values ('${accountId}', 0, ${grantedMicros}, ${grantedMicros})`,
  `insert into entry (id, kind, account_id, held_micros, micros, at_ms)
   values ('op_1', 'grant', '${accountId}', 0, ${grantedMicros}, 0)`,
  `insert into api_key (id, hash, shown, account_id, name, group_name, status, declared,
     created_at_ms)
   values ('${keyId}', 'h', '', '${accountId}', '', 'default', 'enabled', 0, 0)`,
  `insert into ledger_key (key_id, account_id) values ('${keyId}', '${accountId}')`,
].map(toStatement);

/** What is there when everything else is gone. */
export class Disk implements Disposable {
  readonly connection = new SqliteConnection({
    path: ":memory:",
    programs: mainPrograms,
  });
  readonly documents: Record<string, unknown[][]>[] = [];

  constructor() {
    this.connection.migrate(mainVersions());
    this.connection.commit([], books, false);
  }

  write(run: ProgramRun): void {
    this.connection.commit([run], [], false);
    this.documents.push(JSON.parse(run.document));
  }

  rows(sql: string): Row[] {
    return this.connection.all(toStatement(sql));
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }
}

function toStatement(sql: string) {
  return { sql, parameters: [] };
}

/** Where a process dies: at this write, which is on the disk or not; nothing of it is told. */
export interface Death {
  atWrite: number;
  isKept: boolean;
}

export interface BenchOptions {
  disk?: Disk;
  /** Instead of the disk's own. */
  store?: Store;
  time?: SimulatedTime;
  death?: Death | null;
  worker?: Partial<Worker>;
  pace?: Pace;
  tell?(task: Task): JsonObject;
  random?(): number;
  changed?(task: Task): void;
  /** Other processes use the disk as well, of which this one is told apart by the name. */
  shared?: string;
}

export class Bench {
  readonly disk: Disk;
  readonly time: SimulatedTime;
  readonly timers: SimulatedTimers;
  readonly database: Database;
  readonly store: Store;
  readonly ledger: Ledger;
  readonly balances: Balances;
  readonly lease: Lease;
  readonly book: TaskBook;
  readonly engine: TaskEngine;
  readonly changes: string[] = [];
  readonly settlements: [state: string, settlement: Settlement][] = [];
  /** What was written for the log. */
  readonly logged: string[] = [];
  /** Tasks that came from other processes, and that went to others. */
  readonly taken: TaskId[] = [];
  readonly forgotten: TaskId[] = [];
  readonly errors: string[] = [];
  /** Set to hold writes back; they are done when it is unset. */
  isStuck = false;
  isDead = false;
  readonly #death: Death | null;
  #writes = 0;
  #stuck: (() => void)[] = [];

  constructor(options: BenchOptions = {}) {
    this.disk = options.disk ?? new Disk();
    this.time = options.time ?? new SimulatedTime();
    this.timers = new SimulatedTimers(this.time);
    this.#death = options.death ?? null;
    this.store = options.store ?? this.#openStore();
    this.database = createDatabase(this.store);
    const { time: clock, timers } = this;
    this.ledger = new Ledger(
      {
        write: async ({ document, logged }) => {
          await this.store.append({ program: ledgerProgram, document }, "synced");
          if (logged !== undefined) this.logged.push(logged);
        },
        clock,
        timers,
        faulted: (error) => this.errors.push(String(error)),
      },
      { queueMax: 1_000_000, stallMs: 1_000_000 },
    );
    this.balances = new Balances(this);
    const log = quietLog(this.errors);
    const random = {
      bytes: (count: number) => new Uint8Array(count).fill(options.shared?.charCodeAt(0) ?? 0),
      unit: options.random ?? (() => 0.5),
    };
    this.lease = new Lease({ clock, random, isSole: options.shared === undefined });
    this.book = new TaskBook({
      ledger: this.ledger,
      balances: this.balances,
      database: this.database,
      store: this.store,
      clock,
      log,
      lease: this.lease,
      tell: options.tell ?? tellEvent,
      changed: (task) => {
        this.changes.push(`${task.state} ${task.progress}`);
        options.changed?.(task);
      },
      forgot: (id) => this.forgotten.push(id),
      prepareRecord: async () => (task, settlement) => {
        this.settlements.push([task.state, settlement]);
        return [{ list: "rows", cells: [task.id, settlement.micros] }];
      },
    });
    this.engine = new TaskEngine({
      book: this.book,
      lease: this.lease,
      database: this.database,
      worker: toWorker(options.worker ?? {}),
      clock,
      timers,
      random,
      log,
      pace: options.pace ?? { firstMs: 2000, growth: 1.5, mostMs: 10_000 },
      taken: (tasks) => this.taken.push(...tasks.map(({ id }) => id)),
    });
  }

  /** Records the intent of a task. */
  async submit(changes: Partial<Task> = {}, create: Create | null = null): Promise<Task> {
    const { book, time, balances } = this;
    const task = newTask(time.nowMs(), changes);
    const [account, key] = await Promise.all([balances.account(accountId), balances.key(keyId)]);
    if (!account || !key) throw new Error("the disk has no account");
    const ask = { account, key, group: "default", model: task.model, price: "{}" };
    await book.add(task, { ...ask, micros: micros(task.heldMicros) }, create);
    return task;
  }

  /** A task that a vendor works on, looked after by the engine. */
  start(changes: Partial<Task> = {}): Task {
    const task = now(this.submit(changes));
    now(this.book.change(task.id, { state: "queued", operation: `op of ${task.id}` }));
    this.engine.watch(task);
    return this.book.latest(task);
  }

  /** Time goes by, and everything that it brings about happens. */
  run(forMs: number): void {
    for (let passedMs = 0; passedMs < forMs && !this.isDead; passedMs += 50) {
      this.time.advance(50);
      this.timers.ringDue();
      drainMicrotasks();
    }
  }

  /** Writes that were held back are done. */
  unstick(): void {
    this.isStuck = false;
    for (const write of this.#stuck.splice(0)) write();
    drainMicrotasks();
  }

  row(id: TaskId): Row | undefined {
    return this.disk.rows(`select * from task where id = '${id}'`)[0];
  }

  /** Of the account, as the database has it. */
  get sums(): Row | undefined {
    return this.disk.rows(
      "select available_micros, held_micros, spent_micros from ledger_account",
    )[0];
  }

  get entries(): Row[] {
    return this.disk.rows(
      "select id, kind, micros, loss_micros, reason, usage from entry where kind <> 'grant'",
    );
  }

  get violations(): Violation[] {
    return now(verify((statement) => this.store.read(statement)));
  }

  #openStore(): Store {
    const { connection } = this.disk;
    const unused = () => Promise.reject(new Error("not used here"));
    return {
      read: async (statement) => connection.all(statement),
      commit: async ({ run, statements = [] }) =>
        connection.commit(run ? [run] : [], statements, true),
      append: (run) => this.#append(run),
      applied: async () => {},
      logApplied: unused,
      readLog: unused,
      writeLog: unused,
      close: async () => {},
    };
  }

  async #append(run: ProgramRun): Promise<void> {
    const isDeath = this.#writes++ === this.#death?.atWrite;
    if (!this.isDead && (!isDeath || this.#death?.isKept)) {
      if (this.isStuck) await new Promise<void>((resolve) => this.#stuck.push(resolve));
      this.disk.write(run);
    }
    if (isDeath) this.isDead = true;
    if (this.isDead) await new Promise<never>(() => {});
  }
}

/** What the work comes to, all of which happens at once. */
export function now<Value>(work: Promise<Value>): Value {
  // What is thrown here is not also uncaught there.
  work.catch(() => {});
  drainMicrotasks();
  const value = Bun.peek(work);
  if (Bun.peek.status(work) === "rejected") throw value;
  if (value instanceof Promise) throw new Error("it is not done yet");
  return value;
}

function toWorker(given: Partial<Worker>): Worker {
  return {
    poll: async (task) => (await given.poll?.(task)) ?? pending,
    find: async (task) => (await given.find?.(task)) ?? "never",
    pollsMax: (id) => given.pollsMax?.(id) ?? 16,
  };
}

let made = 0;

function newTask(createdAtMs: number, changes: Partial<Task> = {}): Task {
  const id = `task_${String(++made).padStart(26, "0")}` as TaskId;
  return {
    id,
    kind: "video",
    accountId,
    keyId,
    group: "default",
    family: "video-d",
    model: "m",
    job: { prompt: "a cat" },
    price: { secondMicros: micros(20), imageMicros: micros(0), callMicros: micros(0) },
    heldMicros,
    webhookUrl: null,
    createdAtMs,
    deadlineAtMs: createdAtMs + 7_200_000,
    state: "submitting",
    progress: 0,
    channelId,
    keyDigest: "digest",
    upstreamModel: "up",
    operation: null,
    result: null,
    delivered: { seconds: null, tokens: null },
    error: null,
    nextPollAtMs: null,
    completedAtMs: null,
    deletedAtMs: null,
    ...changes,
  };
}

function tellEvent(task: Task): JsonObject {
  return { type: eventOf(task), data: { id: task.id, status: task.state } };
}

function quietLog(errors: string[]): Log {
  const nothing = () => {};
  const error = (message: string, fields = {}) =>
    void errors.push(`${message} ${JSON.stringify(fields)}`);
  return { debug: nothing, info: nothing, warn: nothing, error, flush: nothing };
}
