// A hold as the ledger hands it out. One is made for every request, so it is one object with shared
// methods.
import type { Micros } from "../core/money.ts";
import type { AccountBalance, KeyBalance } from "./balance.ts";
import type { Batch } from "./batch.ts";
import type { Whereabouts } from "./losses.ts";
import type { Hold } from "./rows.ts";

export interface Ask extends Hold {
  account: AccountBalance;
  key: KeyBalance;
  /** A task's hold stays when the process ends; a request's is given back at the next start. */
  isTask?: boolean;
  /** The client's field that bounds what it can cost, for who has too little. */
  lower?: string | null;
  /** Where the work is, for who counts what is lost there. */
  whereabouts?: Whereabouts | undefined;
}

export interface Reservation extends Ask {
  state: "open" | "posted" | "voided" | "disowned";
  /** Has the hold written; resolves when it survives the death of the process. */
  readonly written: Promise<boolean>;
}

const inBook = Promise.resolve(true);

export class Held implements Reservation {
  readonly id: string;
  readonly account: AccountBalance;
  readonly key: KeyBalance;
  readonly group: string;
  readonly model: string;
  readonly micros: Micros;
  readonly price: string;
  readonly whereabouts?: Whereabouts | undefined;
  state: Reservation["state"] = "open";
  readonly #batch: Batch | null;
  readonly #demand: (batch: Batch) => void;

  /** Without a batch it is in the book already. */
  constructor(ask: Ask, batch: Batch | null, demand: (batch: Batch) => void) {
    this.id = ask.id;
    this.account = ask.account;
    this.key = ask.key;
    this.group = ask.group;
    this.model = ask.model;
    this.micros = ask.micros;
    this.price = ask.price;
    this.whereabouts = ask.whereabouts;
    this.#batch = batch;
    this.#demand = demand;
  }

  get written(): Promise<boolean> {
    if (!this.#batch) return inBook;
    this.#demand(this.#batch);
    return this.#batch.written;
  }
}
