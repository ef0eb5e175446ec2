// The ledger as everybody sees it: money is held, charged or given back, and granted, and what was
// decided is safe once its promise says so.
import type { Micros } from "../core/money.ts";
import type { ListedRow } from "../store/step.ts";
import type { AccountBalance, KeyBalance } from "./balance.ts";
import type { CapBalance, CapLimit, ShortageWords } from "./cap.ts";
import type { EarlyLoss, Losses, Whereabouts } from "./losses.ts";
import type { GrantFacts, Hold } from "./rows.ts";

export interface LedgerLimits {
  queueMax: number;
  stallMs: number;
}

/** Smaller hold for a wallet that does not cover all that was asked for. */
export interface Shrink {
  /** Below this nothing is held. */
  readonly leastMicros: Micros;
  /** Null where that is not there. */
  within(roomMicros: number): Micros | null;
}

export interface Ask extends Hold {
  account: AccountBalance;
  key: KeyBalance;
  caps: readonly CapBalance[];
  shortageWords?: ShortageWords | undefined;
  /** A task's hold stays when the process ends; a request's is given back at the next start. */
  isTask?: boolean;
  /** The client's field that bounds what it can cost, for who has too little. */
  lower?: string | null;
  /** Absent where all of it must be held. */
  shrink?: Shrink | undefined;
  /** The place of the work, for counting its losses. */
  whereabouts?: Whereabouts | undefined;
  /** Rows that stand or fall with the hold. */
  joined?: readonly ListedRow[];
}

export interface Reservation extends Ask, EarlyLoss {
  state: "open" | "posted" | "voided" | "disowned";
  /** Time of its admission, by which prices go. */
  readonly atMs: number;
  /** Has the hold written; resolves when it survives the death of the process. */
  readonly written: Promise<boolean>;
  /** Has it written with what joined it; resolves when both survive the loss of power. */
  readonly kept: Promise<void>;
}

export interface Posted {
  charged: Micros;
  /** The moment that its entry has. */
  atMs: number;
  written: Promise<boolean>;
}

export interface Grant extends GrantFacts {
  account: AccountBalance;
  micros: Micros;
  /** Rows that stand or fall with it, once it is known how much it moves. */
  joined?(moved: Micros): readonly ListedRow[];
}

export interface Ledger {
  /**
   * Holds the money, or as much of it as will do, or refuses, in one step; null where another node
   * may have what is missing.
   */
  tryAdmit(ask: Ask): Reservation | null;
  /** The same, and waits for what another node may have. */
  admit(ask: Ask): Promise<Reservation>;
  /** The hold of a task that another process made: it is in the book already. */
  adopt(ask: Ask): Reservation;
  /** Another process has the task now, and settles its hold. */
  disown(reservation: Reservation): void;
  /**
   * Has rows written with whatever else was decided in this same step, all or nothing; resolves
   * when they survive the loss of power.
   */
  join(...rows: readonly ListedRow[]): Promise<void>;
  /**
   * The same for a row that is as safe as the money beside it. `kept` of its commit resolves once
   * that is written, however long the disk takes, and fails where it never will be.
   */
  accompany(row: ListedRow): { readonly kept: Promise<void> };
  /**
   * Has what goes past the hold brought here, where somebody else may have it; null where there is
   * nothing to wait for. It never fails: what cannot be had is a loss.
   */
  stretch(reservation: Reservation, actual: Micros): Promise<void> | null;
  /**
   * Charges what was used and frees the rest of the hold. What goes past the hold is taken from
   * what is left, and past that it is the operator's loss: a balance is never overdrawn. What the
   * vendor may charge beyond what is known is booked as a loss as well.
   */
  post(reservation: Reservation, actual: Micros, usage: string, possibleLoss?: Micros): Posted;
  /** Counts a cost under caps that no hold was taken under, in the write of what is beside it. */
  countCost(caps: readonly CapBalance[], cost: Micros): void;
  /**
   * Has the record of a request written with what was decided for it in this same step. One that is
   * not charged is left out while the journal cannot keep up: refused requests never pile up.
   */
  record(rows: readonly ListedRow[], isCharged: boolean): void;
  /** Micros that could be charged beyond the hold. */
  spareMicros(ask: Ask): number;
  /** Frees the whole hold; what the vendor may charge all the same is booked as a loss. */
  void(reservation: Reservation, reason: string, loss?: Micros): Promise<boolean>;
  /**
   * Adds credit, or takes back at most what is left. Counts once it is synced, and is not answered
   * before. Whoever grants has looked whether the id is taken in the book.
   */
  grant(grant: Grant): Promise<Micros>;
  /**
   * Changes the limit of a window. What is held of a hard one beyond it drains as it ends. Resolves
   * when it survives the loss of power.
   */
  limitCap(cap: CapBalance, parts: CapLimit): Promise<void>;
  /** Notes that a window is over: what is held under it stays its own. */
  closeCap(cap: CapBalance, atMs: number): Promise<void>;
  /** True once everything decided so far is written, false when the disk does not answer. */
  settled(): Promise<boolean>;
  readonly queueLength: number;
  /** Micros held by requests and tasks of this process. */
  readonly heldMicros: number;
  /** Losses since the start. */
  readonly losses: Losses;
  /** Records that were left out. */
  readonly recordsDropped: number;
  /** Time that someone has been waiting for a write. */
  readonly oldestMs: number;
  readonly isFaulted: boolean;
  /** Closes that came second; anything but zero is a bug somewhere above. */
  readonly closedTwice: number;
}
