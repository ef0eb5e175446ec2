// Both ledgers, as far as they are one: what is decided moves balances in one synchronous step and
// gathers in a batch; a hold is closed once; one batch is on its way at a time, and what is decided
// meanwhile forms the next. How a batch becomes safe is each ledger's own.
//
// A hold is only written once somebody waits for it, which is before the client sees anything, or
// when it has lasted: an answer that soon comes whole is written as one entry, and its hold never
// touches the disk.
import { assert } from "../core/assert.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { micros, zeroMicros, type Micros } from "../core/money.ts";
import type { EntryTable } from "../store/schema.ts";
import type { ListedRow } from "../store/step.ts";
import { admitted, type Lacking } from "./admission.ts";
import { spareMicros } from "./balance.ts";
import { Batch } from "./batch.ts";
import type { CapBalance, CapLimit } from "./cap.ts";
import { fencedOff, Held, isLost, type HoldWriter } from "./held.ts";
import { Losses } from "./losses.ts";
import type { Ask, Grant, Ledger, LedgerLimits, Posted, Reservation } from "./ledger.ts";
import { assertUsable } from "./kept/usable.ts";
import { moveCost, noteWritten, settleHold, takeHold } from "./movement.ts";
import { toCloseRow, toHoldRow, type Close } from "./rows.ts";
import { UnwrittenHolds } from "./unwritten-holds.ts";

interface BatchedLedgerNeeds {
  clock: Clock;
  timers: Timers;
  /**
   * Runs a little later, when requests that are answered in the same turn of the event loop have
   * added their lines: they share one write then.
   */
  soon(run: () => void): void;
}

type EndState = Exclude<Reservation["state"], "open">;

const done = Promise.resolve(true);

export abstract class BatchedLedger implements Ledger, HoldWriter {
  readonly losses = new Losses();
  protected filling = new Batch();
  protected writing: Batch | null = null;
  readonly #needs: BatchedLedgerNeeds;
  readonly #limits: LedgerLimits;
  readonly #unwritten: UnwrittenHolds<Held>;
  #isScheduled = false;
  #closedTwice = 0;
  #recordsDropped = 0;
  #heldMicros = 0;

  constructor(needs: BatchedLedgerNeeds, limits: LedgerLimits) {
    this.#needs = needs;
    this.#limits = limits;
    const { clock, timers } = needs;
    const write = (held: Held) => {
      // Skip holds from before others called this node dead: those are theirs to give back.
      if (isLost(held)) this.#unwritten.delete(held);
      else this.demand(held);
    };
    this.#unwritten = new UnwrittenHolds({ clock, timers, write });
  }

  abstract tryAdmit(ask: Ask): Reservation | null;
  abstract admit(ask: Ask): Promise<Reservation>;
  abstract stretch(reservation: Reservation, actual: Micros): Promise<void> | null;
  abstract grant(grant: Grant): Promise<Micros>;
  abstract limitCap(cap: CapBalance, parts: CapLimit): Promise<void>;
  abstract closeCap(cap: CapBalance, atMs: number): Promise<void>;
  abstract readonly isFaulted: boolean;
  /** Has the batch that is filling written, unless one is on its way. */
  protected abstract run(): void;

  adopt(ask: Ask): Reservation {
    return this.#open(new Held(ask, this.#needs.clock.nowMs(), this));
  }

  disown(reservation: Reservation): void {
    const held = this.#openOf(reservation);
    if (held) this.#end(held, "disowned");
  }

  async join(...rows: readonly ListedRow[]): Promise<void> {
    const batch = this.filling;
    for (const row of rows) batch.join(row);
    batch.sync = true;
    this.schedule();
    await batch.kept;
  }

  accompany(row: ListedRow): Batch {
    const batch = this.filling;
    batch.join(row);
    this.schedule();
    return batch;
  }

  post(
    reservation: Reservation,
    actual: Micros,
    usage: string,
    possibleLoss: Micros = zeroMicros,
  ): Posted {
    assert(actual >= 0, "a charge is not negative");
    const atMs = this.#needs.clock.nowMs();
    const held = this.#openOf(reservation);
    if (!held) return { charged: zeroMicros, atMs, written: done };
    if (isLost(held)) {
      this.#end(held, "posted");
      return { charged: zeroMicros, atMs, written: fencedOff() };
    }
    const charged = micros(Math.min(actual, held.micros + this.spareMicros(held)));
    const loss = actual - charged + possibleLoss;
    const close: Close = { kind: "post", micros: charged, loss_micros: loss, usage };
    return { charged, atMs, written: this.#settle(held, "posted", close, atMs) };
  }

  void(reservation: Reservation, reason: string, loss: Micros = zeroMicros): Promise<boolean> {
    const held = this.#openOf(reservation);
    if (!held) return done;
    if (isLost(held)) {
      this.#end(held, "voided");
      return fencedOff();
    }
    const close: Close = { kind: "void", micros: 0, loss_micros: loss, reason };
    return this.#settle(held, "voided", close, this.#needs.clock.nowMs());
  }

  countCost(caps: readonly CapBalance[], cost: Micros): void {
    for (const cap of caps) {
      assertUsable(cap);
      moveCost(cap, cost);
    }
    this.filling.countCost(caps, cost);
    this.schedule();
  }

  record(rows: readonly ListedRow[], isCharged: boolean): void {
    const waiting = this.filling.recordCount + (this.writing?.recordCount ?? 0);
    if (!isCharged && waiting > this.#limits.queueMax) {
      this.#recordsDropped++;
      return;
    }
    this.filling.record(rows);
    this.schedule();
  }

  spareMicros(ask: Ask): number {
    return spareMicros(ask);
  }

  async settled(): Promise<boolean> {
    this.#unwritten.writeAll();
    // Batches are written in order, so the last one stands for all.
    const last = this.filling.isEmpty ? this.writing : this.filling;
    this.schedule();
    return await (last?.written ?? done).catch(() => false);
  }

  get queueLength(): number {
    return this.filling.size + (this.writing?.size ?? 0);
  }

  get heldMicros(): number {
    return this.#heldMicros;
  }

  get recordsDropped(): number {
    return this.#recordsDropped;
  }

  get oldestMs(): number {
    return this.waitedMs(this.writing ?? this.filling);
  }

  get closedTwice(): number {
    return this.#closedTwice;
  }

  demand(held: Held): Batch | null {
    if (held.isUnwritten) this.#writeHold(held);
    if (held.batch === this.filling) this.schedule();
    return held.batch;
  }

  isLeftOut(_batch: Batch, _id: string): boolean {
    return false;
  }

  protected assertWritable(): void {
    const { queueMax, stallMs } = this.#limits;
    const isBehind = this.queueLength > queueMax || this.oldestMs > stallMs;
    if (this.isFaulted || isBehind) throw new GatewayError("overloaded", { retryAfterSeconds: 5 });
  }

  /** Holds the money or refuses; nothing is awaited, so it is atomic. */
  protected hold(whole: Ask, lacking?: Lacking): Reservation {
    const nowMs = this.#needs.clock.nowMs();
    const ask = admitted(whole, nowMs, lacking);
    const held = new Held(ask, nowMs, this);
    this.take(held);
    if (ask.joined) {
      for (const row of ask.joined) this.filling.join(row);
      if (held.isUnwritten) this.#writeHold(held);
    }
    return this.#open(held);
  }

  protected take(held: Held): void {
    takeHold(held, held.micros);
    this.#unwritten.add(held);
    if (held.isTask) this.#writeHold(held);
  }

  /** Moves what a reservation held and what it is charged, and has its entry written. */
  protected free(held: Held, row: EntryTable): void {
    settleHold(held, row.micros);
    const { account, key, caps, isUnwritten } = held;
    const batch = this.filling;
    if (isUnwritten) {
      this.#unwritten.delete(held);
      batch.enter(row);
    } else {
      batch.moveHeld(account.id, key.id, -held.micros);
      batch.addEntry(row);
    }
    if (row.micros > 0) batch.moveSpent(account.id, key.id, row.micros);
    if (caps.length > 0) batch.moveCaps(caps, isUnwritten ? 0 : -held.micros, row.micros);
  }

  protected schedule(): void {
    if (!this.filling.isEmpty) this.filling.awaitedSinceMs ??= this.#needs.clock.monotonicMs();
    if (this.writing || this.#isScheduled) return;
    this.#isScheduled = true;
    this.#needs.soon(() => {
      this.#isScheduled = false;
      this.run();
    });
  }

  /** Takes the batch that is filling to be written. */
  protected swap(): Batch {
    const batch = this.filling;
    this.writing = batch;
    this.filling = new Batch();
    return batch;
  }

  /** The batch that was on its way is safe. */
  protected goOn(): void {
    this.writing = null;
    if (this.filling.awaitedSinceMs !== null) this.schedule();
  }

  protected waitedMs({ awaitedSinceMs }: Batch): number {
    return awaitedSinceMs === null ? 0 : this.#needs.clock.monotonicMs() - awaitedSinceMs;
  }

  #writeHold(held: Held): void {
    const { account, key, caps, micros: heldMicros, isTask } = held;
    const batch = this.filling;
    const row = toHoldRow(held, held.atMs);
    this.#unwritten.delete(held);
    noteWritten(held, heldMicros);
    if (isTask) batch.addTaskHold(row);
    else batch.addHold(row);
    batch.moveHeld(account.id, key.id, heldMicros);
    batch.moveCaps(caps, heldMicros, 0);
    held.batch = batch;
  }

  #open(held: Held): Held {
    held.account.uses++;
    held.key.uses++;
    for (const cap of held.caps) cap.uses++;
    this.#heldMicros += held.micros;
    return held;
  }

  /** Null for a close that comes second: it is counted, and moves nothing. */
  #openOf(reservation: Reservation): Held | null {
    const { state, account, key, caps, micros: heldMicros } = reservation;
    if (state !== "open" || !(reservation instanceof Held)) {
      this.#closedTwice++;
      return null;
    }
    assert(this.#heldMicros >= heldMicros, "the process holds what is closed");
    assert(account.uses > 0 && key.uses > 0, "a balance with a hold is in use");
    for (const cap of caps) assert(cap.uses > 0, "a cap with a hold is in use");
    return reservation;
  }

  #settle(held: Held, state: EndState, close: Close, atMs: number): Promise<boolean> {
    this.free(held, toCloseRow(held, close, atMs));
    this.#end(held, state);
    if (close.loss_micros > 0) this.losses.add(held, close.loss_micros);
    this.schedule();
    return this.filling.written;
  }

  #end(held: Held, state: EndState): void {
    held.state = state;
    held.account.uses--;
    held.key.uses--;
    for (const cap of held.caps) cap.uses--;
    this.#heldMicros -= held.micros;
  }
}
