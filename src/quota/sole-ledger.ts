// The ledger of a process that has it to itself. Admission is decided here in memory, in one
// synchronous step, so no two requests can spend the same money; every change is written by the
// journal in the order it was decided.
//
// A hold is only written once somebody waits for it, which is before the client sees anything, or
// when it has lasted: an answer that soon comes whole is written as one entry, and its hold never
// touches the disk.
import { assert } from "../core/assert.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { micros, zeroMicros, type Micros } from "../core/money.ts";
import type { ListedRow } from "../store/step.ts";
import { admitted } from "./admission.ts";
import { assertUsable, moveGranted, spareMicros } from "./balance.ts";
import { Batch } from "./batch.ts";
import { Losses } from "./losses.ts";
import type { Ask, Grant, Ledger, LedgerLimits, Posted, Reservation } from "./ledger.ts";
import { toCloseRow, toGrantRow, toHoldRow, type Close } from "./rows.ts";
import { SoleHeld } from "./sole-held.ts";
import { UnwrittenHolds } from "./unwritten-holds.ts";

export interface JournalWrite {
  document: string;
  /** What the log is to have of it. */
  logged: string | undefined;
  sync: boolean;
}

export interface SoleLedgerNeeds {
  /** Writes a batch whole or not at all. */
  write(batch: JournalWrite): Promise<unknown>;
  clock: Clock;
  timers: Timers;
  /**
   * Runs a little later, when requests that are answered in the same turn of the event loop have
   * added their lines: they share one write then. At once in the same turn when it is left out.
   */
  soon?(run: () => void): void;
  /** Told when a write fails; money is read-only until it succeeds. */
  faulted(error: unknown): void;
}

const retryDelayMs = 500;
const tickMs = 1000;
const waitMsMax = 5000;
const done = Promise.resolve(true);

export class SoleLedger implements Ledger {
  readonly #needs: SoleLedgerNeeds;
  readonly #limits: LedgerLimits;
  #filling: Batch;
  #writing: Batch | null = null;
  readonly #unwritten: UnwrittenHolds<SoleHeld>;
  /** Grants on their way to the disk. */
  readonly #granting = new Set<string>();
  #isScheduled = false;
  #isFaulted = false;
  #closedTwice = 0;
  #recordsDropped = 0;
  #heldMicros = 0;
  readonly losses = new Losses();

  constructor(needs: SoleLedgerNeeds, limits: LedgerLimits) {
    this.#needs = needs;
    this.#limits = limits;
    this.#filling = new Batch();
    const { clock, timers } = needs;
    const write = (held: SoleHeld) => this.#writeHold(held);
    this.#unwritten = new UnwrittenHolds({ clock, timers, write });
    timers.every(tickMs, () => this.#letGo());
  }

  admit(ask: Ask): Reservation {
    return this.reserve(ask);
  }

  /** Holds the money or refuses; nothing is awaited, so it is atomic. */
  reserve(whole: Ask): Reservation {
    this.#assertWritable();
    const ask = admitted(whole);
    ask.account.uses++;
    ask.key.uses++;
    this.#heldMicros += ask.micros;
    moveHeld(ask, ask.micros);
    const held = new SoleHeld(ask, this.#needs.clock.nowMs(), this.#demand);
    if (ask.isTask || ask.joined) this.#addHold(held, ask);
    else this.#unwritten.add(held);
    return held;
  }

  adopt(ask: Ask): Reservation {
    ask.account.uses++;
    ask.key.uses++;
    this.#heldMicros += ask.micros;
    return new SoleHeld(ask, this.#needs.clock.nowMs(), this.#demand);
  }

  disown(reservation: Reservation): void {
    this.#close(reservation, "disowned");
  }

  /**
   * Has rows written with whatever else was decided in this same step, all or nothing; resolves
   * when they survive the loss of power.
   */
  async join(...rows: readonly ListedRow[]): Promise<void> {
    const batch = this.#filling;
    for (const row of rows) batch.join(row);
    batch.sync = true;
    this.#schedule();
    await batch.kept;
  }

  accompany(row: ListedRow): void {
    this.#filling.join(row);
    this.#schedule();
  }

  /**
   * Charges what was used and frees the rest of the hold. What goes past the hold is taken from
   * what is left, and past that it is the operator's loss: a balance is never overdrawn. What the
   * vendor may charge beyond what is known is booked as a loss as well.
   */
  post(
    reservation: Reservation,
    actual: Micros,
    usage: string,
    possibleLoss: Micros = zeroMicros,
  ): Posted {
    assert(actual >= 0, "a charge is not negative");
    if (!this.#close(reservation, "posted")) {
      return { charged: zeroMicros, atMs: this.#needs.clock.nowMs(), written: done };
    }
    const { account, key } = reservation;
    const charged = micros(Math.min(actual, reservation.micros + spareMicros(account, key)));
    const isWritten = this.#free(reservation);
    account.availableMicros -= charged;
    account.spentMicros += charged;
    key.spentMicros += charged;
    this.#filling.moveSpent(account.id, key.id, charged);
    const loss = actual - charged + possibleLoss;
    const close: Close = { kind: "post", micros: charged, loss_micros: loss, usage };
    const atMs = this.#addClose(reservation, close, isWritten);
    return { charged, atMs, written: this.#filling.written };
  }

  /**
   * Has the record of a request written with what was decided for it in this same step. One that is
   * not charged is left out while the journal cannot keep up: refused requests never pile up.
   */
  record(rows: readonly ListedRow[], isCharged: boolean): void {
    if (!isCharged && this.#recordsWaiting > this.#limits.queueMax) {
      this.#recordsDropped++;
      return;
    }
    this.#filling.record(rows);
    this.#schedule();
  }

  /** All there is is here. */
  stretch(): null {
    return null;
  }

  spareMicros({ account, key }: Ask): number {
    return spareMicros(account, key);
  }

  /** Frees the whole hold; what the vendor may charge all the same is booked as a loss. */
  void(reservation: Reservation, reason: string, loss: Micros = zeroMicros): Promise<boolean> {
    if (!this.#close(reservation, "voided")) return done;
    const isWritten = this.#free(reservation);
    this.#addClose(reservation, { kind: "void", micros: 0, loss_micros: loss, reason }, isWritten);
    return this.#filling.written;
  }

  /**
   * Adds credit, or takes back at most what is left. Counts once it is synced, and is not answered
   * before. Whoever grants has looked whether the id is taken in the book; here it is only known
   * whether it is on its way there.
   */
  async grant(grant: Grant): Promise<Micros> {
    const { id, account, micros: wanted } = grant;
    this.#assertWritable();
    assertUsable(account);
    if (this.#granting.has(id)) {
      throw new GatewayError("conflict", { param: "id", message: "This id is being booked." });
    }
    const amount = micros(Math.max(wanted, account.unlimited ? wanted : -account.availableMicros));
    // Money taken back is out of reach at once; money given can be spent once it is safe.
    if (amount < 0) moveGranted(account, amount);
    const batch = this.#filling;
    batch.moveGranted(account.id, amount);
    batch.addEntry(toGrantRow(grant, amount, this.#needs.clock.nowMs()));
    for (const row of grant.joined?.(amount) ?? []) batch.join(row);
    batch.sync = true;
    this.#granting.add(id);
    account.uses++;
    this.#schedule();
    await batch.kept;
    account.uses--;
    this.#granting.delete(id);
    if (amount > 0) moveGranted(account, amount);
    return amount;
  }

  /** True once everything decided so far is written, false when the disk does not answer. */
  async settled(): Promise<boolean> {
    this.#unwritten.writeAll();
    // Batches are written in order, so the last one stands for all.
    const last = this.#filling.isEmpty ? this.#writing : this.#filling;
    this.#schedule();
    return await (last?.written ?? done);
  }

  get queueLength(): number {
    return this.#filling.size + (this.#writing?.size ?? 0);
  }

  get heldMicros(): number {
    return this.#heldMicros;
  }

  /** Records that were left out. */
  get recordsDropped(): number {
    return this.#recordsDropped;
  }

  get #recordsWaiting(): number {
    return this.#filling.recordCount + (this.#writing?.recordCount ?? 0);
  }

  /** How long someone has been waiting for a write. */
  get oldestMs(): number {
    return this.#waitedMs(this.#writing ?? this.#filling);
  }

  get isFaulted(): boolean {
    return this.#isFaulted;
  }

  /** Closes that came second; anything but zero is a bug somewhere above. */
  get closedTwice(): number {
    return this.#closedTwice;
  }

  #assertWritable(): void {
    const isBehind =
      this.queueLength > this.#limits.queueMax || this.oldestMs > this.#limits.stallMs;
    if (this.#isFaulted || isBehind) throw new GatewayError("overloaded", { retryAfterSeconds: 5 });
  }

  readonly #demand = (held: SoleHeld): Batch | null => {
    if (this.#unwritten.delete(held)) this.#writeHold(held);
    else if (held.batch === this.#filling) this.#schedule();
    return held.batch;
  };

  #writeHold(held: SoleHeld): void {
    this.#addHold(held, held);
    this.#schedule();
  }

  #addHold(held: SoleHeld, { isTask, joined }: Ask): void {
    const batch = this.#filling;
    const row = toHoldRow(held, held.atMs);
    if (isTask) batch.addTaskHold(row);
    else batch.addHold(row);
    if (joined) for (const other of joined) batch.join(other);
    batch.moveHeld(held.account.id, held.key.id, held.micros);
    held.batch = batch;
  }

  #close(reservation: Reservation, state: Exclude<Reservation["state"], "open">): boolean {
    if (reservation.state !== "open") {
      this.#closedTwice++;
      return false;
    }
    reservation.state = state;
    reservation.account.uses--;
    reservation.key.uses--;
    this.#heldMicros -= reservation.micros;
    return true;
  }

  /** Tells whether its hold was written, or is about to be. */
  #free(reservation: Reservation): boolean {
    moveHeld(reservation, -reservation.micros);
    if (reservation instanceof SoleHeld && this.#unwritten.delete(reservation)) return false;
    this.#filling.moveHeld(reservation.account.id, reservation.key.id, -reservation.micros);
    return true;
  }

  #addClose(reservation: Reservation, close: Close, isWritten: boolean): number {
    const atMs = this.#needs.clock.nowMs();
    if (close.loss_micros > 0) this.losses.add(reservation, close.loss_micros);
    const row = toCloseRow(reservation, close, atMs);
    if (isWritten) this.#filling.addEntry(row);
    else this.#filling.enter(row);
    this.#schedule();
    return atMs;
  }

  /** One batch is written at a time; what is decided meanwhile forms the next one. */
  #schedule(): void {
    if (this.#filling.isEmpty) return;
    this.#filling.awaitedSinceMs ??= this.#needs.clock.monotonicMs();
    if (this.#writing || this.#isScheduled) return;
    this.#isScheduled = true;
    const { soon = queueMicrotask } = this.#needs;
    soon(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    if (this.#writing || this.#filling.isEmpty) return;
    this.#writing = this.#filling;
    this.#filling = new Batch();
    this.#write(this.#writing);
  }

  /** On a disk that does not answer, streams still finish; what they owe stays in line. */
  #letGo(): void {
    for (const batch of [this.#writing, this.#filling]) {
      if (batch && this.#waitedMs(batch) > waitMsMax) batch.letGo();
    }
  }

  #waitedMs({ awaitedSinceMs }: Batch): number {
    return awaitedSinceMs === null ? 0 : this.#needs.clock.monotonicMs() - awaitedSinceMs;
  }

  #write(batch: Batch): void {
    const write = { document: batch.document(), logged: batch.logged(), sync: batch.sync };
    this.#needs.write(write).then(
      () => {
        this.#isFaulted = false;
        this.#writing = null;
        batch.finish();
        if (this.#filling.awaitedSinceMs !== null) this.#schedule();
      },
      (error: unknown) => {
        // A batch is never dropped: it is tried again until the disk takes it.
        this.#isFaulted = true;
        this.#needs.faulted(error);
        this.#needs.timers.after(retryDelayMs, () => this.#write(batch));
      },
    );
  }
}

function moveHeld({ account, key }: Ask, by: number): void {
  account.availableMicros -= by;
  account.heldMicros += by;
  key.heldMicros += by;
}
