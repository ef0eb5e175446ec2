// A reservation. Its hold is written only if somebody asks for that or it lasts, into the batch of
// that moment; a task's is in the batch in which it was decided.
import { GatewayError } from "../core/errors.ts";
import type { Linked } from "../core/linked-set.ts";
import type { Micros } from "../core/money.ts";
import type { AccountBalance, KeyBalance } from "./balance.ts";
import type { Batch } from "./batch.ts";
import type { CapBalance } from "./cap.ts";
import type { Ask, Reservation } from "./ledger.ts";
import type { Whereabouts } from "./losses.ts";

export interface HoldWriter {
  /** Has the hold written; null where it is in the book already. */
  demand(held: Held): Batch | null;
  isLeftOut(batch: Batch, id: string): boolean;
}

/** One is made for every request, so it is one object with shared methods. */
export class Held implements Reservation, Linked<Held> {
  next: Held | null = null;
  previous: Held | null = null;
  readonly id: string;
  readonly account: AccountBalance;
  readonly key: KeyBalance;
  readonly caps: readonly CapBalance[];
  readonly group: string;
  readonly model: string;
  readonly micros: Micros;
  readonly price: string;
  readonly isTask: boolean;
  readonly whereabouts: Whereabouts | undefined;
  /** Time of the decision. */
  readonly atMs: number;
  sinceMs = 0;
  isUnwritten = false;
  state: Reservation["state"] = "open";
  lostMicros = 0;
  /** The one that has its hold. */
  batch: Batch | null = null;
  readonly #writer: HoldWriter;

  constructor(ask: Ask, atMs: number, writer: HoldWriter) {
    this.id = ask.id;
    this.account = ask.account;
    this.key = ask.key;
    this.caps = ask.caps;
    this.group = ask.group;
    this.model = ask.model;
    this.micros = ask.micros;
    this.price = ask.price;
    this.isTask = ask.isTask === true;
    this.whereabouts = ask.whereabouts;
    this.atMs = atMs;
    this.#writer = writer;
  }

  get written(): Promise<boolean> {
    if (this.account.isForgotten) return fencedOff();
    return this.#writer.demand(this)?.written ?? Promise.resolve(true);
  }

  get kept(): Promise<void> {
    return this.account.isForgotten ? fencedOff() : this.#keep();
  }

  async #keep(): Promise<void> {
    const batch = this.#writer.demand(this);
    if (!batch) return;
    batch.sync = true;
    await batch.kept;
    if (this.#writer.isLeftOut(batch, this.id)) throw takenElsewhere();
  }
}

/** A request's lost hold is others' by now; a task's is the account's, whoever ends it. */
export function isLost({ account, isTask }: Reservation): boolean {
  return account.isForgotten && isTask !== true;
}

/** Others have what was held: it can be neither charged nor given back. */
export function fencedOff(): Promise<never> {
  const failed = Promise.reject(fencedError());
  // Not everyone listens, and nobody must.
  failed.catch(() => undefined);
  return failed;
}

export function fencedError(): GatewayError {
  const message = "This node was cut off from the ledger: nothing was charged. Please try again.";
  return new GatewayError("overloaded", { message, retryAfterSeconds: 1 });
}

export function takenElsewhere(): GatewayError {
  return new GatewayError("conflict", { message: "Another node has this task now." });
}
