// A reservation of a process that has the ledger to itself. Its hold is written only if somebody
// asks for that, into the batch of that moment; a task's is in the batch in which it was decided.
import type { Linked } from "../core/linked-set.ts";
import type { Micros } from "../core/money.ts";
import type { AccountBalance, KeyBalance } from "./balance.ts";
import type { Batch } from "./batch.ts";
import type { Ask, Reservation } from "./ledger.ts";
import type { Whereabouts } from "./losses.ts";

/** Has the hold written, and tells the batch that has it; null when it is in the book already. */
type WriteHold = (held: SoleHeld) => Batch | null;

/** One is made for every request, so it is one object with shared methods. */
export class SoleHeld implements Reservation, Linked<SoleHeld> {
  next: SoleHeld | null = null;
  previous: SoleHeld | null = null;
  readonly id: string;
  readonly account: AccountBalance;
  readonly key: KeyBalance;
  readonly group: string;
  readonly model: string;
  readonly micros: Micros;
  readonly price: string;
  readonly whereabouts: Whereabouts | undefined;
  /** When it was decided. */
  readonly atMs: number;
  sinceMs = 0;
  state: Reservation["state"] = "open";
  lostMicros = 0;
  /** The one that has its hold. */
  batch: Batch | null = null;
  readonly #write: WriteHold;

  constructor(ask: Ask, atMs: number, write: WriteHold) {
    this.id = ask.id;
    this.account = ask.account;
    this.key = ask.key;
    this.group = ask.group;
    this.model = ask.model;
    this.micros = ask.micros;
    this.price = ask.price;
    this.whereabouts = ask.whereabouts;
    this.atMs = atMs;
    this.#write = write;
  }

  get written(): Promise<boolean> {
    return this.#write(this)?.written ?? Promise.resolve(true);
  }

  get kept(): Promise<void> {
    const batch = this.#write(this);
    if (!batch) return Promise.resolve();
    batch.sync = true;
    return batch.kept;
  }
}
