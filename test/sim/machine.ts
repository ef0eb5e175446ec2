// One process of the gateway that serves, as far as money is concerned.
import { drainMicrotasks } from "bun:jsc";
import type { AccountBalance, KeyBalance } from "../../src/quota/balance.ts";
import type { CapBalance } from "../../src/quota/cap.ts";
import type { AccountId, KeyId } from "../../src/core/ids.ts";
import type { LedgerLimits, Reservation } from "../../src/quota/ledger.ts";
import { ledgerProgram } from "../../src/quota/queries.ts";
import { Held } from "../../src/quota/held.ts";
import type { JournalWrite, SoleLedger } from "../../src/quota/sole-ledger.ts";
import { StoreError } from "../../src/store/store.ts";
import type { Base } from "./base.ts";
import type { CapTerm } from "./book.ts";
import type { Build, Write } from "./build.ts";
import { must } from "./failure.ts";
import type { Made } from "./history.ts";
import type { SimulatedTime } from "./simulated-time.ts";

export interface MachineParts {
  base: Base;
  build: Build;
  time: SimulatedTime;
  limits: LedgerLimits;
  isHasty: boolean;
  /** Balances that it keeps when they are idle. */
  balancesMax: number;
  /** Told of a hold that nobody waits for when it comes into line, or is closed before that. */
  linedUp(made: Made, isSpared: boolean): void;
}

interface SilentHold {
  reservation: Reservation;
  made: Made;
}

export class Machine {
  readonly base: Base;
  readonly ledger: SoleLedger;
  readonly open: Reservation[] = [];
  readonly closed: Reservation[] = [];
  /** The holds that nobody waits for and that are in no batch, as far as was looked. */
  silent: SilentHold[] = [];
  /** The balances that this process has loaded, as it last saw them. */
  readonly accounts = new Map<string, AccountBalance>();
  readonly keys = new Map<string, KeyBalance>();
  readonly caps = new Map<string, CapBalance>();
  readonly #balances: ReturnType<Build["createBalances"]>;
  isAlive = true;
  decisionCount = 0;
  /** Decisions of the ledger that it was told to be written. */
  answeredCount = 0;
  /** Whether the ledger was last told that a write failed. */
  isFaulted = false;
  /** Answers that came later and were wrong. */
  readonly complaints: string[] = [];
  secondCloses = 0;
  /** Coming loads of a balance that fail. */
  failingReads = 0;
  #decisionsWriting = 0;
  readonly #linedUp: MachineParts["linedUp"];
  /** Callbacks left for the end of a turn of the event loop. */
  #later: (() => void)[] = [];

  constructor(parts: MachineParts) {
    const { base, build, time, limits, isHasty, balancesMax, linedUp } = parts;
    this.base = base;
    this.#linedUp = linedUp;
    const { timers, store } = base;
    const write = build.wrapJournal(({ document, logged, sync }) =>
      base.journal.append({ program: ledgerProgram, document, logged }, sync),
    );
    const ports = { write: this.#witness(write), clock: time, timers, faulted: () => undefined };
    const soon = (run: () => void) => void this.#later.push(run);
    this.ledger = build.createLedger(isHasty ? ports : { ...ports, soon }, limits);
    const read: typeof store.read = (statement) => {
      if (this.failingReads === 0) return store.read(statement);
      this.failingReads--;
      return Promise.reject(new StoreError("io", "unreadable"));
    };
    this.#balances = build.createBalances({ ...store, read }, this.ledger, balancesMax);
  }

  /** Null while it is being forgotten, which waits for the disk. */
  account(id: string): AccountBalance | null {
    return load(this.accounts, id, () => this.#balances.account(id as AccountId));
  }

  key(id: string): KeyBalance | null {
    return load(this.keys, id, () => this.#balances.key(id as KeyId));
  }

  cap(keyId: string, { id, account, mode, limit }: CapTerm): CapBalance | null {
    const accountId = account as AccountId;
    const named = { id, budgetId: id, accountId, subjectId: null, name: id };
    const terms = { ...named, mode, limitMicros: limit, openedAtMs: 0, closesAtMs: null };
    const payer = { accountId, keyId: keyId as KeyId, caps: [terms] };
    const find = async () => (await this.#balances.wallet(payer)).caps[0] ?? null;
    return load(this.caps, id, find);
  }

  /** Looks which holds the ledger has put into a batch though nobody waits for them. */
  lineUp(): void {
    const lined = this.silent.filter(({ reservation }) => isInBatch(reservation));
    if (lined.length === 0) return;
    this.silent = this.silent.filter(({ reservation }) => !isInBatch(reservation));
    for (const { made } of lined) this.#linedUp(made, false);
  }

  /** One that is closed before it came into line never does. */
  spare(id: string): void {
    this.lineUp();
    const spared = this.silent.find(({ reservation }) => reservation.id === id);
    if (!spared) return;
    this.silent = this.silent.filter((one) => one !== spared);
    this.#linedUp(spared.made, true);
  }

  endTurn(): void {
    for (const run of this.#later.splice(0)) run();
    drainMicrotasks();
  }

  /** Dies perhaps with what it meant to do at the end of the turn. */
  kill(endsTurn: boolean): void {
    this.isAlive = false;
    if (endsTurn) queueMicrotask(() => this.endTurn());
    this.base.kill();
  }

  #witness(write: Write): Write {
    return async (batch: JournalWrite) => {
      this.lineUp();
      // A batch takes everything decided before it is first sent.
      if (!this.isFaulted) this.#decisionsWriting = this.decisionCount;
      try {
        await write(batch);
        this.isFaulted = false;
        this.answeredCount = this.#decisionsWriting;
      } catch (error) {
        this.isFaulted = true;
        throw error;
      }
    };
  }
}

function isInBatch(reservation: Reservation): boolean {
  return reservation instanceof Held && reservation.batch !== null;
}

/** A loaded balance is there at once, so that a turn of the event loop goes on. */
function load<Balance>(
  known: Map<string, Balance>,
  id: string,
  find: () => Promise<Balance | null>,
): Balance | null {
  const first = find();
  drainUnlessDone(first);
  const found = Bun.peek.status(first) === "rejected" ? find() : first;
  drainUnlessDone(found);
  if (Bun.peek.status(found) === "pending") {
    // The asker has gone.
    found.catch(() => undefined);
    return null;
  }
  const balance = Bun.peek(found);
  must(balance !== null && !(balance instanceof Promise), () => `${id} is not there`);
  known.set(id, balance);
  return balance;
}

function drainUnlessDone(promise: Promise<unknown>): void {
  if (Bun.peek.status(promise) === "pending") drainMicrotasks();
  promise.catch(() => undefined);
}
