// The ledger of one node among others. What it was lent it spends in memory, in one synchronous
// step; one turn at a time writes what was decided and asks for more. What was decided is safe when
// the answer of its turn is here, and at no other moment.
import { assert } from "../../core/assert.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import { micros, microsMax, zeroMicros, type Micros } from "../../core/money.ts";
import type { ListedRow } from "../../store/step.ts";
import { TurnRefused, type TurnReply } from "../../store/turns.ts";
import { admitted } from "../admission.ts";
import { spareMicros } from "../balance.ts";
import { Batch } from "../batch.ts";
import { Losses } from "../losses.ts";
import type { Ask, Grant, Ledger, LedgerLimits, Posted, Reservation } from "../ledger.ts";
import { toCloseRow, toHoldRow, type Close } from "../rows.ts";
import { UnwrittenHolds } from "../unwritten-holds.ts";
import { fencedError, fencedOff, SliceHeld, takenElsewhere, type HoldWriter } from "./held.ts";
import { Slices } from "./slices.ts";
import { takeBack } from "./take-back.ts";
import type { TurnTaker } from "./turn-taker.ts";

interface ClusterLedgerNeeds {
  taker: TurnTaker;
  clock: Clock;
  timers: Timers;
  /** Runs a little later, when requests of the same turn of the event loop have added theirs. */
  soon(run: () => void): void;
  /** Books a grant by itself. */
  bookGrant(grant: Grant, micros: Micros, nowMs: number): Promise<void>;
  /** Told when others have called this node dead, or the database refused what it decided. */
  fenced(error: TurnRefused): void;
}

export class ClusterLedger implements Ledger, HoldWriter {
  readonly slices: Slices;
  readonly #needs: ClusterLedgerNeeds;
  readonly #limits: LedgerLimits;
  #filling = new Batch();
  #writing: Batch | null = null;
  readonly #unwritten: UnwrittenHolds<SliceHeld>;
  /** What is undone in memory if a task's part of a batch is left out. */
  #undos = new Map<string, () => void>();
  readonly #leftOut = new WeakMap<Batch, ReadonlySet<string>>();
  #isScheduled = false;
  #isRunning = false;
  #isClosed = false;
  #closedTwice = 0;
  #recordsDropped = 0;
  #heldMicros = 0;
  readonly losses = new Losses();
  #fences = 0;

  constructor(needs: ClusterLedgerNeeds, limits: LedgerLimits) {
    this.#needs = needs;
    this.#limits = limits;
    const { clock, timers } = needs;
    this.slices = new Slices({ clock, timers, wanted: () => this.#schedule() });
    const write = (held: SliceHeld) => {
      // Skip holds from before others called this node dead: those are theirs to give back.
      if (!held.account.isForgotten) void held.written;
    };
    this.#unwritten = new UnwrittenHolds({ clock, timers, write });
    timers.every(needs.taker.beatMs / 2, () => this.#beat());
  }

  admit(ask: Ask): Reservation | Promise<Reservation> {
    this.#assertWritable();
    // What cannot be counted is refused outright, and never asked for.
    if (ask.micros >= microsMax || this.slices.covers(ask, ask.micros)) return this.#reserve(ask);
    const { micros: wanted, shrink } = ask;
    const least = shrink ? { leastMicros: shrink.leastMicros } : null;
    return this.slices.wait(this.slices.of(ask), wanted, () => this.#reserve(ask), least);
  }

  adopt(ask: Ask): Reservation {
    ask.account.uses++;
    ask.key.uses++;
    this.#heldMicros += ask.micros;
    return new SliceHeld(ask, this.#needs.clock.nowMs(), null, this);
  }

  disown(reservation: Reservation): void {
    this.#close(reservation, "disowned");
  }

  async join(...rows: readonly ListedRow[]): Promise<void> {
    const batch = this.#filling;
    for (const row of rows) batch.join(row);
    this.#schedule();
    await batch.kept;
    if (rows.some(({ cells: [id] }) => this.isLeftOut(batch, String(id)))) throw takenElsewhere();
  }

  accompany(row: ListedRow): void {
    this.#filling.join(row);
    this.#schedule();
  }

  stretch(reservation: Reservation, actual: Micros): Promise<void> | null {
    const { account, key } = reservation;
    const past = actual - reservation.micros - this.spareMicros(reservation);
    if (past <= 0 || account.isForgotten || reservation.state !== "open") return null;
    const missing = actual - reservation.micros;
    const slices = this.slices.of({ account, key });
    return this.slices.wait(slices, missing, () => undefined).catch(() => undefined);
  }

  post(
    reservation: Reservation,
    actual: Micros,
    usage: string,
    possibleLoss: Micros = zeroMicros,
  ): Posted {
    assert(actual >= 0, "a charge is not negative");
    const atMs = this.#needs.clock.nowMs();
    if (!this.#close(reservation, "posted")) {
      return { charged: zeroMicros, atMs, written: Promise.resolve(true) };
    }
    if (isLost(reservation)) return { charged: zeroMicros, atMs, written: fencedOff() };
    const spare = this.spareMicros(reservation);
    const charged = micros(Math.min(actual, reservation.micros + spare));
    const loss = actual - charged + possibleLoss;
    this.#settle(reservation, { kind: "post", micros: charged, loss_micros: loss, usage }, atMs);
    return { charged, atMs, written: this.#filling.written };
  }

  void(reservation: Reservation, reason: string, loss: Micros = zeroMicros): Promise<boolean> {
    if (!this.#close(reservation, "voided")) return Promise.resolve(true);
    if (isLost(reservation)) return fencedOff();
    const close: Close = { kind: "void", micros: 0, loss_micros: loss, reason };
    this.#settle(reservation, close, this.#needs.clock.nowMs());
    return this.#filling.written;
  }

  record(rows: readonly ListedRow[], isCharged: boolean): void {
    const waiting = this.#filling.recordCount + (this.#writing?.recordCount ?? 0);
    if (!isCharged && waiting > this.#limits.queueMax) {
      this.#recordsDropped++;
      return;
    }
    this.#filling.record(rows);
    this.#schedule();
  }

  spareMicros({ account, key }: Ask): number {
    const isKnown = this.slices.of({ account, key }).every((slice) => slice.isKnown);
    return isKnown && !account.isForgotten ? spareMicros(account, key) : 0;
  }

  async grant(grant: Grant): Promise<Micros> {
    const { account, micros: wanted } = grant;
    this.#assertWritable();
    const { clock, bookGrant } = this.#needs;
    if (wanted >= 0 || account.unlimited) {
      await bookGrant(grant, wanted, clock.nowMs());
      return wanted;
    }
    const { slices } = this;
    const returned = () => this.#filling.kept;
    const book = (amount: Micros) => bookGrant(grant, amount, clock.nowMs());
    return await takeBack({ slices, returned, book }, grant);
  }

  async settled(): Promise<boolean> {
    this.#unwritten.writeAll();
    const last = this.#filling.isEmpty ? this.#writing : this.#filling;
    this.#schedule();
    return await (last?.written ?? Promise.resolve(true)).catch(() => false);
  }

  /** Everything goes back, and the node is done for good. */
  async close(): Promise<void> {
    this.slices.giveAllBack();
    const batch = this.#filling;
    this.#schedule();
    await batch.kept.catch(() => undefined);
    this.#isClosed = true;
    this.#needs.taker.end();
  }

  get queueLength(): number {
    return this.#filling.size + (this.#writing?.size ?? 0);
  }

  get heldMicros(): number {
    return this.#heldMicros;
  }

  get recordsDropped(): number {
    return this.#recordsDropped;
  }

  get oldestMs(): number {
    const { awaitedSinceMs } = this.#writing ?? this.#filling;
    return awaitedSinceMs === null ? 0 : this.#needs.clock.monotonicMs() - awaitedSinceMs;
  }

  get isFaulted(): boolean {
    return !this.#needs.taker.isHeld;
  }

  get closedTwice(): number {
    return this.#closedTwice;
  }

  /** How often others have called this node dead. */
  get fences(): number {
    return this.#fences;
  }

  writeHold(held: SliceHeld): Batch {
    this.#unwritten.delete(held);
    const batch = this.#filling;
    batch.addHold(toHoldRow(held, held.atMs));
    batch.moveHeld(held.account.id, held.key.id, held.micros);
    for (const slice of this.slices.of(held)) slice.unwrittenMicros -= held.micros;
    return batch;
  }

  demand(batch: Batch): void {
    if (batch === this.#filling) this.#schedule();
  }

  isLeftOut(batch: Batch, id: string): boolean {
    return this.#leftOut.get(batch)?.has(id) === true;
  }

  #assertWritable(): void {
    const { queueMax, stallMs } = this.#limits;
    const isBehind = this.queueLength > queueMax || this.oldestMs > stallMs;
    if (this.#isClosed || isBehind || !this.#needs.taker.isHeld) {
      throw new GatewayError("overloaded", { retryAfterSeconds: 5 });
    }
  }

  #reserve(whole: Ask): Reservation {
    const slices = this.slices.of(whole);
    if (slices.some(({ isMissing }) => isMissing)) throw new GatewayError("invalid_api_key");
    const ask = admitted(whole);
    const { account, key } = ask;
    account.uses++;
    key.uses++;
    this.#heldMicros += ask.micros;
    const batch = this.#filling;
    const atMs = this.#needs.clock.nowMs();
    const held = new SliceHeld(ask, atMs, ask.isTask ? batch : null, this);
    if (ask.isTask) {
      // It is the account's from here on, whatever becomes of this node.
      this.#moveOut(ask, ask.micros);
      batch.addTaskHold(toHoldRow(ask, atMs));
      this.#undos.set(ask.id, () => this.#moveOut(ask, -ask.micros));
    } else {
      account.availableMicros -= ask.micros;
      account.heldMicros += ask.micros;
      key.heldMicros += ask.micros;
      for (const slice of slices) slice.unwrittenMicros += ask.micros;
      this.#unwritten.add(held);
    }
    if (ask.joined) for (const row of ask.joined) batch.join(row);
    this.slices.used(ask);
    return held;
  }

  #moveOut(ask: Ask, by: number): void {
    for (const slice of this.slices.of(ask)) slice.move(-by);
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
    if (reservation instanceof SliceHeld) this.#unwritten.delete(reservation);
    return true;
  }

  #settle(reservation: Reservation, close: Close, atMs: number): void {
    const { account, key, micros: held } = reservation;
    const row = toCloseRow(reservation, close, atMs);
    if (close.loss_micros > 0) this.losses.add(reservation, close.loss_micros);
    const batch = this.#filling;
    if (reservation.isTask) {
      const past = Math.max(0, close.micros - held);
      this.#moveSpent(reservation, past);
      this.#undos.set(reservation.id, () => this.#moveSpent(reservation, -past));
      batch.endTask(row);
    } else {
      account.availableMicros += held;
      account.heldMicros -= held;
      key.heldMicros -= held;
      this.#moveSpent(reservation, close.micros);
      const isWritten = reservation instanceof SliceHeld && reservation.batch !== null;
      if (isWritten) {
        batch.moveHeld(account.id, key.id, -held);
        batch.addEntry(row);
      } else {
        batch.enter(row);
        for (const slice of this.slices.of(reservation)) slice.unwrittenMicros -= held;
      }
      if (close.micros > 0) batch.moveSpent(account.id, key.id, close.micros);
    }
    this.slices.settled(reservation);
    this.#schedule();
  }

  #moveSpent({ account, key }: Ask, by: number): void {
    account.availableMicros -= by;
    account.spentMicros += by;
    key.spentMicros += by;
  }

  #beat(): void {
    this.slices.beat();
    const { clock, taker } = this.#needs;
    if (clock.monotonicMs() - taker.sentAtMs >= taker.beatMs) this.#run();
  }

  #schedule(): void {
    if (!this.#filling.isEmpty) {
      this.#filling.awaitedSinceMs ??= this.#needs.clock.monotonicMs();
    }
    if (this.#isRunning || this.#isScheduled) return;
    this.#isScheduled = true;
    this.#needs.soon(() => {
      this.#isScheduled = false;
      this.#run();
    });
  }

  /** One turn at a time; what is decided meanwhile forms the next one. */
  #run(): void {
    // A node that starts may have to wait for another one's start before it joins.
    if (this.#isRunning || this.#isClosed || !this.#needs.taker.hasJoined) return;
    this.#isRunning = true;
    const batch = this.#filling;
    this.#writing = batch;
    this.#filling = new Batch();
    const undos = this.#undos;
    this.#undos = new Map();
    const { lists, sent } = this.slices.take();
    this.#needs.taker.take(batch.document(lists), batch.logged()).then(
      (reply) => {
        this.#leaveOut(batch, reply, undos);
        batch.finish();
        this.slices.hear(reply, sent);
        this.#goOn();
      },
      (error: unknown) => void this.#fence(batch, error),
    );
  }

  #goOn(): void {
    this.#writing = null;
    this.#isRunning = false;
    if (this.#filling.awaitedSinceMs !== null || this.slices.isWanting) this.#schedule();
  }

  #leaveOut(batch: Batch, { conflicts }: TurnReply, undos: ReadonlyMap<string, () => void>): void {
    if (!conflicts) return;
    this.#leftOut.set(batch, new Set(conflicts));
    for (const id of conflicts) undos.get(id)?.();
  }

  /** Nothing in flight here can be charged any more; the node begins anew under another id. */
  async #fence(batch: Batch, error: unknown): Promise<void> {
    const refusal =
      error instanceof TurnRefused ? error : new TurnRefused("refused", String(error));
    this.#fences++;
    const filling = this.#filling;
    this.#filling = new Batch();
    this.#undos = new Map();
    const failure = fencedError();
    this.slices.forget(failure);
    batch.fail(failure);
    filling.fail(failure);
    if (this.#isClosed) return;
    this.#needs.fenced(refusal);
    await this.#needs.taker.join();
    this.#goOn();
  }
}

/** What a request held is others' by now; what a task holds is the account's, whoever ends it. */
function isLost({ account, isTask }: Reservation): boolean {
  return account.isForgotten && !isTask;
}
