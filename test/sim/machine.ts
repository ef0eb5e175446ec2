// One process of the gateway, from its start to its death, as far as money is concerned.
import { drainMicrotasks } from "bun:jsc";
import type { AccountId, KeyId } from "../../src/core/ids.ts";
import type {
  AccountBalance,
  JournalWrite,
  KeyBalance,
  Ledger,
  LedgerLimits,
  Reservation,
} from "../../src/quota/ledger.ts";
import { StoreError, type Commit, type ProgramRun, type Store } from "../../src/store/store.ts";
import type { Build, Write } from "./build.ts";
import type { Disk } from "./disk.ts";
import { must } from "./failure.ts";
import { Journal } from "./journal.ts";
import { type SimulatedTime, SimulatedTimers } from "./simulated-time.ts";

export interface MachineParts {
  build: Build;
  disk: Disk;
  time: SimulatedTime;
  limits: LedgerLimits;
}

export class Machine {
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly timers: SimulatedTimers;
  readonly open: Reservation[] = [];
  readonly closed: Reservation[] = [];
  /** Ids of the accounts and keys that this process has loaded. */
  readonly known = new Set<string>();
  readonly #balances: ReturnType<Build["createBalances"]>;
  isAlive = true;
  decisionCount = 0;
  /** How many of its decisions the ledger was told to be written. */
  answeredCount = 0;
  /** Whether the ledger was last told that a write failed. */
  isFaulted = false;
  /** Answers that came later and were wrong. */
  readonly complaints: string[] = [];
  secondCloses = 0;
  /** How many of the coming loads of a balance fail. */
  failingReads = 0;

  constructor({ build, disk, time, limits }: MachineParts) {
    this.journal = new Journal(disk);
    this.timers = new SimulatedTimers(time);
    const write = build.wrapJournal((batch) => this.journal.write(batch));
    const ports = {
      write: this.#witness(write),
      clock: time,
      timers: this.timers,
      faulted: () => undefined,
    };
    this.ledger = build.createLedger(ports, limits);
    const store = storeOn(disk);
    this.#balances = build.createBalances({
      ...store,
      read: (statement) => {
        if (this.failingReads === 0) return store.read(statement);
        this.failingReads--;
        return Promise.reject(new StoreError("io", "unreadable"));
      },
    });
  }

  account(id: string): AccountBalance {
    this.known.add(id);
    return this.#load(() => this.#balances.account(id as AccountId));
  }

  key(id: string): KeyBalance {
    this.known.add(id);
    return this.#load(() => this.#balances.key(id as KeyId));
  }

  /** Ends the process; its objects live on unheard. Returns what it was about to write. */
  kill(): ProgramRun | null {
    this.isAlive = false;
    this.timers.stopAll();
    return this.journal.cut();
  }

  #witness(write: Write): Write {
    return async (batch) => {
      try {
        await write(batch);
        this.isFaulted = false;
        this.answeredCount += countLines(batch);
      } catch (error) {
        this.isFaulted = true;
        throw error;
      }
    };
  }

  /** What is loaded already is there at once, so that a turn of the event loop goes on. */
  #load<Balance>(load: () => Promise<Balance | null>): Balance {
    const loading = load();
    const present = Bun.peek.status(loading) === "fulfilled" ? Bun.peek(loading) : null;
    if (present !== null && !(present instanceof Promise)) return present;
    const first = settle(loading);
    const loaded = "value" in first ? first : settle(load());
    if (!("value" in loaded)) throw loaded.error;
    must(loaded.value !== null, () => "a balance is not there");
    return loaded.value;
  }
}

function countLines({ document }: JournalWrite): number {
  const { holds = [], entries = [] }: Record<string, unknown[]> = JSON.parse(document);
  return holds.length + entries.length;
}

/** The store of a starting process; `intercept` may stop a commit before or after it is done. */
export function storeOn(disk: Disk, intercept = (commit: () => unknown) => commit()): Store {
  const unused = () => Promise.reject(new Error("the money core does not use this"));
  return {
    read: async (statement) => disk.read(statement),
    commit: async ({ statements = [] }: Commit) => {
      intercept(() => disk.commit(statements));
      return [];
    },
    append: unused,
    applied: unused,
    readLog: unused,
    writeLog: unused,
    close: unused,
  };
}

export type Settled<Value> = { value: Value } | { error: unknown };

/** Runs microtasks until a promise that waits for nothing else has its result. */
export function settle<Value>(promise: Promise<Value>): Settled<Value> {
  let settled: Settled<Value> | null = null;
  promise.then(
    (value) => (settled = { value }),
    (error: unknown) => (settled = { error }),
  );
  drainMicrotasks();
  return settled ?? { error: new Error("the promise waits for something") };
}
