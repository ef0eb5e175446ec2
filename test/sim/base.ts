// The store of one process, from the first look at its files to its death: the real journal over
// the simulated folder and the database's thread.
import { drainMicrotasks } from "bun:jsc";
import { Journal } from "../../src/store/sqlite/journal.ts";
import { logProgramName } from "../../src/store/sqlite/log-taker.ts";
import type { ProgramRun, Store, StoreError } from "../../src/store/store.ts";
import type { Build } from "./build.ts";
import { DatabaseThread } from "./database-thread.ts";
import type { Disk } from "./disk.ts";
import { must } from "./failure.ts";
import { SimulatedTimers, type SimulatedTime } from "./simulated-time.ts";

export interface BaseParts {
  build: Build;
  disk: Disk;
  time: SimulatedTime;
}

export interface Rejection {
  run: ProgramRun;
  error: StoreError;
}

export type Settled<Value> = { value: Value } | { error: unknown };

const stepsMaxUsual = 500;

export class Base {
  readonly timers: SimulatedTimers;
  readonly thread: DatabaseThread;
  /** Two steps of one thread fall apart as those of two would. */
  readonly logThread: DatabaseThread;
  readonly #disk: Disk;
  readonly #opening: Promise<Journal>;
  #journal: Journal | null = null;
  /** Records that the journal could not apply and has told of; emptied by whoever looks at it. */
  rejections: Rejection[] = [];
  /** Runs that a start has set aside because a loss of power took what was before them. */
  orphans: ProgramRun[] = [];
  /** Lines that a start took for damaged: deaths and losses of power tear, and damage nothing. */
  readonly damages: string[] = [];
  readonly lostRecords: number[] = [];

  constructor({ build, disk, time }: BaseParts) {
    this.#disk = disk;
    this.timers = new SimulatedTimers(time);
    this.thread = new DatabaseThread(disk.connection);
    this.logThread = new DatabaseThread(disk.log);
    this.#opening = Journal.open({
      folder: build.wrapFolder(disk.folder.mount()),
      database: build.wrapDatabase(this.thread),
      log: {
        ...build.wrapLog({
          commit: (documents, statements) => {
            const runs = documents.map((document) => ({ program: logProgramName, document }));
            return this.logThread.commit(runs, statements);
          },
        }),
        appliedSequence: disk.loggedSequence,
        faulted: () => undefined,
        lost: (count) => this.lostRecords.push(count),
      },
      appliedSequence: disk.appliedSequence,
      timers: this.timers,
      rejected: (run, error) => this.rejections.push({ run, error }),
      orphaned: (run) => this.orphans.push(run),
      damaged: ({ message }) => this.damages.push(message),
    });
  }

  get journal(): Journal {
    must(this.#journal !== null, () => "the journal is not open");
    return this.#journal;
  }

  /** Works on the start for so many steps of the disk; false if that was not enough. */
  open(stepsMax: number = stepsMaxUsual): boolean {
    const settled = this.drive(this.#opening, stepsMax);
    if (!settled) return false;
    must("value" in settled, () => `a start failed: ${"error" in settled && settled.error}`);
    this.#journal = settled.value;
    return true;
  }

  /** Lets a healthy disk work until the promise has its result, or for so many steps. */
  drive<Value>(promise: Promise<Value>, stepsMax: number = stepsMaxUsual): Settled<Value> | null {
    let settled: Settled<Value> | null = null;
    promise.then(
      (value) => (settled = { value }),
      (error: unknown) => (settled = { error }),
    );
    drainMicrotasks();
    for (let step = 0; step < stepsMax && settled === null; step++) {
      this.stepSmoothly();
      drainMicrotasks();
    }
    return settled;
  }

  get isIdle(): boolean {
    return this.thread.isIdle && this.logThread.isIdle && this.#disk.folder.isIdle;
  }

  stepSmoothly(): void {
    this.thread.step("smooth");
    this.logThread.step("smooth");
    this.#disk.folder.step("smooth");
  }

  /** Ends the process; its objects live on unheard. What it was about to write may be cut short. */
  kill(): void {
    this.timers.stopAll();
    this.thread.cut();
    this.logThread.cut();
    this.#disk.folder.startDying();
    drainMicrotasks();
    this.#disk.folder.endProcess();
  }

  /** The money core's view of a store. */
  get store(): Store {
    const unused = () => Promise.reject(new Error("the money core does not use this"));
    return {
      dialect: "sqlite",
      read: async (statement) => this.#disk.read(statement),
      commit: ({ statements = [] }) => this.journal.commit(statements),
      applied: () => this.journal.apply(),
      append: (run, gate) => this.journal.append(run, gate === "synced"),
      logApplied: unused,
      readLog: unused,
      writeLog: unused,
      close: unused,
    };
  }
}
