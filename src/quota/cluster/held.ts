// A reservation on a slice. Its hold is written only if somebody asks for that or it lasts, into
// the batch of that moment; a task's is in the batch in which it was decided.
import { GatewayError } from "../../core/errors.ts";
import type { Linked } from "../../core/linked-set.ts";
import type { Micros } from "../../core/money.ts";
import type { AccountBalance, KeyBalance } from "../balance.ts";
import type { Batch } from "../batch.ts";
import type { Ask, Reservation } from "../ledger.ts";
import type { Whereabouts } from "../losses.ts";

export interface HoldWriter {
  /** Puts the hold into the batch that is filling. */
  writeHold(held: SliceHeld): Batch;
  /** Has the batch written. */
  demand(batch: Batch): void;
  isLeftOut(batch: Batch, id: string): boolean;
}

export class SliceHeld implements Reservation, Linked<SliceHeld> {
  next: SliceHeld | null = null;
  previous: SliceHeld | null = null;
  sinceMs = 0;
  readonly id: string;
  readonly account: AccountBalance;
  readonly key: KeyBalance;
  readonly group: string;
  readonly model: string;
  readonly micros: Micros;
  readonly price: string;
  readonly isTask: boolean;
  readonly whereabouts: Whereabouts | undefined;
  /** When it was decided. */
  readonly atMs: number;
  state: Reservation["state"] = "open";
  lostMicros = 0;
  /** The one that has its hold. */
  batch: Batch | null;
  readonly #writer: HoldWriter;

  constructor(ask: Ask, atMs: number, batch: Batch | null, writer: HoldWriter) {
    this.id = ask.id;
    this.account = ask.account;
    this.key = ask.key;
    this.group = ask.group;
    this.model = ask.model;
    this.micros = ask.micros;
    this.price = ask.price;
    this.isTask = ask.isTask === true;
    this.whereabouts = ask.whereabouts;
    this.atMs = atMs;
    this.batch = batch;
    this.#writer = writer;
  }

  get written(): Promise<boolean> {
    if (this.account.isForgotten) return fencedOff();
    if (!this.batch && this.isTask) return Promise.resolve(true);
    this.batch ??= this.#writer.writeHold(this);
    this.#writer.demand(this.batch);
    return this.batch.written;
  }

  get kept(): Promise<void> {
    return this.#keep();
  }

  async #keep(): Promise<void> {
    await this.written;
    if (this.batch && this.#writer.isLeftOut(this.batch, this.id)) throw takenElsewhere();
  }
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
