// One process of the gateway, from its start to its death, as far as money is concerned.
import { drainMicrotasks } from "bun:jsc";
import type { AccountId, KeyId } from "../../src/core/ids.ts";
import type {
  AccountBalance,
  KeyBalance,
  Ledger,
  LedgerLimits,
  Reservation,
} from "../../src/quota/ledger.ts";
import { StoreError, type Commit, type Store } from "../../src/store/store.ts";
import type { Build } from "./build.ts";
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
  /** Set when a batch was sent that the disk can never take: only a restart helps. */
  isStuck = false;
  secondCloses = 0;
  /** How many of the coming loads of a balance fail. */
  failingReads = 0;

  constructor({ build, disk, time, limits }: MachineParts) {
    this.journal = new Journal(disk);
    this.timers = new SimulatedTimers(time);
    const write = build.wrapJournal((batch) => this.journal.write(batch));
    const ports = { write, clock: time, timers: this.timers, faulted: () => undefined };
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

  /** Ends the process where it stands; its objects live on, but nobody hears them. */
  kill(): void {
    this.isAlive = false;
    this.journal.cut();
    this.timers.stopAll();
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

/** The store of a starting process; `intercept` may stop a commit before or after it is done. */
export function storeOn(disk: Disk, intercept = (commit: () => unknown) => commit()): Store {
  const unused = () => Promise.reject(new Error("the ledger has no log"));
  return {
    read: async (statement) => disk.read(statement),
    commit: async ({ run, statements = [], gate }: Commit) => {
      intercept(() => disk.commit(run, statements, gate === "synced"));
      return [];
    },
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
