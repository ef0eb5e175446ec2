// The ledger of one node among others. What it was lent it spends in memory, in one synchronous
// step; one turn at a time writes what was decided and asks for more. What was decided is safe when
// the answer of its turn is here, and at no other moment.
import type { Clock, Timers } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import { microsMax, type Micros } from "../../core/money.ts";
import type { EntryTable } from "../../store/schema.ts";
import type { ListedRow } from "../../store/step.ts";
import { RoundRefused, type RoundReply } from "../../store/turns.ts";
import type { Lacking } from "../admission.ts";
import { Batch } from "../batch.ts";
import { BatchedLedger } from "../batched-ledger.ts";
import { limitOfParts, type CapBalance, type CapLimit } from "../cap.ts";
import { fencedError, takenElsewhere, type Held } from "../held.ts";
import type { Ask, Grant, LedgerLimits, Reservation } from "../ledger.ts";
import { assertCovered, moveSpent } from "../movement.ts";
import { toHoldRow } from "../rows.ts";
import { Slices } from "./slices.ts";
import { takeBack } from "./take-back.ts";
import type { RoundTaker } from "./round-taker.ts";

interface ClusterLedgerNeeds {
  taker: RoundTaker;
  clock: Clock;
  timers: Timers;
  /** Runs a little later, when requests of the same turn of the event loop have added theirs. */
  soon(run: () => void): void;
  /** Books a grant by itself. */
  bookGrant(grant: Grant, micros: Micros, nowMs: number): Promise<void>;
  /** Told when others have called this node dead, or the database refused what it decided. */
  fenced(error: RoundRefused): void;
}

export class ClusterLedger extends BatchedLedger {
  readonly slices: Slices;
  readonly #needs: ClusterLedgerNeeds;
  /** Steps that undo a task's part of a batch in memory if it is left out. */
  #undos = new Map<string, () => void>();
  readonly #leftOut = new WeakMap<Batch, ReadonlySet<string>>();
  #isClosed = false;
  #fences = 0;

  constructor(needs: ClusterLedgerNeeds, limits: LedgerLimits) {
    const { clock, timers, soon, taker } = needs;
    super({ clock, timers, soon }, limits);
    this.#needs = needs;
    this.slices = new Slices({ clock, timers, wanted: () => this.schedule() });
    timers.every(taker.heartbeatMs / 2, () => this.#heartbeat());
  }

  tryAdmit(ask: Ask): Reservation | null {
    this.assertWritable();
    // An amount that cannot be counted is refused outright, and never asked for.
    const isDecided = ask.micros >= microsMax || this.slices.covers(ask, ask.micros);
    return isDecided ? this.#reserve(ask) : null;
  }

  async admit(ask: Ask): Promise<Reservation> {
    const { micros: wanted, shrink } = ask;
    const least = shrink ? { leastMicros: shrink.leastMicros } : null;
    const serve = (lacking?: Lacking) => this.#reserve(ask, lacking);
    const wait = () => this.slices.wait(this.slices.of(ask), wanted, serve, least);
    return this.tryAdmit(ask) ?? (await wait());
  }

  override async join(...rows: readonly ListedRow[]): Promise<void> {
    const batch = this.filling;
    await super.join(...rows);
    if (rows.some(({ cells: [id] }) => this.isLeftOut(batch, String(id)))) throw takenElsewhere();
  }

  stretch(reservation: Reservation, actual: Micros): Promise<void> | null {
    const { account } = reservation;
    const past = actual - reservation.micros - this.spareMicros(reservation);
    if (past <= 0 || account.isForgotten || reservation.state !== "open") return null;
    const missing = actual - reservation.micros;
    const slices = this.slices.of(reservation);
    return this.slices.wait(slices, missing, () => undefined).catch(() => undefined);
  }

  override spareMicros(ask: Ask): number {
    const isKnown = this.slices.of(ask).every((slice) => slice.isKnown);
    return isKnown && !ask.account.isForgotten ? super.spareMicros(ask) : 0;
  }

  async grant(grant: Grant): Promise<Micros> {
    const { account, micros: wanted } = grant;
    this.assertWritable();
    const { clock, bookGrant } = this.#needs;
    if (wanted >= 0 || account.unlimited) {
      await bookGrant(grant, wanted, clock.nowMs());
      return wanted;
    }
    const { slices } = this;
    const returned = () => this.filling.kept;
    const book = (amount: Micros) => bookGrant(grant, amount, clock.nowMs());
    return await takeBack({ slices, returned, book }, grant);
  }

  override countCost(caps: readonly CapBalance[], cost: Micros): void {
    super.countCost(caps, cost);
    this.slices.counted(caps);
  }

  /**
   * The part of a hard window that is to go is gathered here first, and goes back in the turn of
   * the new limit. What others hold of it goes back when it ends.
   */
  async limitCap(cap: CapBalance, parts: CapLimit): Promise<void> {
    const { slices } = this;
    const limit = limitOfParts(parts);
    const { budgetMicros, carriedMicros, raisedMicros } = parts;
    const lowered = cap.mode === "hard" ? cap.limitMicros - limit : 0;
    const cells = [cap.id, limit, budgetMicros, carriedMicros, raisedMicros];
    const change = () => this.join({ list: "capLimits", cells });
    if (lowered <= 0) return await change();
    // The part of a cap that a dead node has is found by its part of the account.
    await slices.wait([slices.account(cap.accountId)], 0, () => undefined);
    const slice = slices.cap(cap);
    const giveAndChange = () => {
      slices.returnSome(slice, Math.min(lowered, Math.max(0, slice.freeMicros)));
      return change();
    };
    await slices.wait([slice], lowered, giveAndChange, { leastMicros: 0 });
  }

  closeCap({ id }: CapBalance, atMs: number): Promise<void> {
    return this.join({ list: "capEnds", cells: [id, atMs] });
  }

  /** Everything goes back, and the node is done for good. */
  async close(): Promise<void> {
    this.slices.giveAllBack();
    const batch = this.filling;
    this.schedule();
    await batch.kept.catch(() => undefined);
    this.#isClosed = true;
    this.#needs.taker.end();
  }

  get isFaulted(): boolean {
    return this.#isClosed || !this.#needs.taker.isHeld;
  }

  /** Times that others have called this node dead. */
  get fences(): number {
    return this.#fences;
  }

  override isLeftOut(batch: Batch, id: string): boolean {
    return this.#leftOut.get(batch)?.has(id) === true;
  }

  #reserve(ask: Ask, lacking?: Lacking): Reservation {
    const slices = this.slices.of(ask);
    if (slices.some(({ isMissing }) => isMissing)) throw new GatewayError("invalid_api_key");
    if (lacking && this.#hasEnded(ask)) throw windowEnded();
    const held = this.hold(ask, lacking);
    this.slices.used(ask);
    return held;
  }

  /** A window of it was closed since, maybe by another node: the next one may have all it needs. */
  #hasEnded({ caps }: Ask): boolean {
    const nowMs = this.#needs.clock.nowMs();
    return caps.some(({ closesAtMs }) => closesAtMs !== null && closesAtMs <= nowMs);
  }

  protected override take(held: Held): void {
    if (!held.isTask) return super.take(held);
    // It is the account's from here on, whatever becomes of this node.
    assertCovered(held, held.micros);
    this.#moveOut(held, held.micros);
    held.batch = this.filling;
    held.batch.addTaskHold(toHoldRow(held, held.atMs));
    this.#undos.set(held.id, () => this.#moveOut(held, -held.micros));
  }

  #moveOut(ask: Ask, by: number): void {
    for (const slice of this.slices.of(ask)) slice.move(-by);
  }

  protected override free(held: Held, row: EntryTable): void {
    if (held.isTask) this.#endTask(held, row);
    else super.free(held, row);
    this.slices.settled(held);
  }

  #endTask(held: Held, row: EntryTable): void {
    const past = Math.max(0, row.micros - held.micros);
    moveSpent(held, past);
    this.#undos.set(held.id, () => moveSpent(held, -past));
    this.filling.endTask(row);
  }

  #heartbeat(): void {
    this.slices.heartbeat();
    const { clock, taker } = this.#needs;
    if (clock.monotonicMs() - taker.sentAtMs >= taker.heartbeatMs) this.run();
  }

  /** One turn at a time; what is decided meanwhile forms the next one. */
  protected run(): void {
    // A node that starts may have to wait for another one's start before it joins.
    if (this.writing || this.#isClosed || !this.#needs.taker.hasJoined) return;
    const batch = this.swap();
    const undos = this.#undos;
    this.#undos = new Map();
    const { lists, sent } = this.slices.take();
    this.#needs.taker
      .take(batch.document(lists), batch.logged())
      .then((reply) => {
        this.#leaveOut(batch, reply, undos);
        batch.finish();
        this.slices.hear(reply, sent);
        this.goOn();
      })
      // An answer that cannot be true fails an assertion: then too all begins anew from the book.
      .catch((error: unknown) => this.#fence(batch, error));
  }

  protected override goOn(): void {
    super.goOn();
    if (this.slices.isWanting) this.schedule();
  }

  #leaveOut(batch: Batch, { conflicts }: RoundReply, undos: ReadonlyMap<string, () => void>): void {
    if (!conflicts) return;
    this.#leftOut.set(batch, new Set(conflicts));
    for (const id of conflicts) undos.get(id)?.();
  }

  /** Nothing in flight here can be charged any more; the node begins anew under another id. */
  async #fence(batch: Batch, error: unknown): Promise<void> {
    const refusal =
      error instanceof RoundRefused ? error : new RoundRefused("refused", String(error));
    this.#fences++;
    const filling = this.filling;
    this.filling = new Batch();
    this.#undos = new Map();
    const failure = fencedError();
    this.slices.forget(failure);
    batch.fail(failure);
    filling.fail(failure);
    if (this.#isClosed) return;
    this.#needs.fenced(refusal);
    await this.#needs.taker.join();
    this.goOn();
  }
}

function windowEnded(): GatewayError {
  return new GatewayError("overloaded", { retryAfterSeconds: 1 });
}
