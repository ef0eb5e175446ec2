// The ledger of a process that has it to itself. Admission is decided here in memory, in one
// synchronous step, so no two requests can spend the same money; every change is written by the
// journal in the order it was decided.
import type { Clock, Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { micros, type Micros } from "../core/money.ts";
import type { Batch } from "./batch.ts";
import { BatchedLedger } from "./batched-ledger.ts";
import { limitOfParts, type CapBalance, type CapLimit } from "./cap.ts";
import { assertUsable } from "./kept/usable.ts";
import type { Ask, Grant, LedgerLimits, Reservation } from "./ledger.ts";
import { moveGranted } from "./movement.ts";
import { toGrantRow } from "./rows.ts";

export interface JournalWrite {
  document: string;
  /** The rows of it for the log. */
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

export class SoleLedger extends BatchedLedger {
  readonly #needs: SoleLedgerNeeds;
  /** Grants on their way to the disk. */
  readonly #granting = new Set<string>();
  #isFaulted = false;

  constructor(needs: SoleLedgerNeeds, limits: LedgerLimits) {
    const { clock, timers, soon = queueMicrotask } = needs;
    super({ clock, timers, soon }, limits);
    this.#needs = needs;
    timers.every(tickMs, () => this.#letGo());
  }

  tryAdmit(ask: Ask): Reservation {
    this.assertWritable();
    return this.hold(ask);
  }

  /** All there is is here. */
  async admit(ask: Ask): Promise<Reservation> {
    return this.tryAdmit(ask);
  }

  stretch(): null {
    return null;
  }

  /**
   * Adds credit, or takes back at most what is left. Counts once it is synced, and is not answered
   * before. Whoever grants has looked whether the id is taken in the book; here it is only known
   * whether it is on its way there.
   */
  async grant(grant: Grant): Promise<Micros> {
    const { id, account, micros: wanted } = grant;
    this.assertWritable();
    assertUsable(account);
    if (this.#granting.has(id)) {
      throw new GatewayError("conflict", { param: "id", message: "This id is being booked." });
    }
    const amount = micros(Math.max(wanted, account.unlimited ? wanted : -account.availableMicros));
    // Money taken back is out of reach at once; money given can be spent once it is safe.
    if (amount < 0) moveGranted(account, amount);
    const batch = this.filling;
    batch.moveGranted(account.id, amount);
    batch.addEntry(toGrantRow(grant, amount, this.#needs.clock.nowMs()));
    for (const row of grant.joined?.(amount) ?? []) batch.join(row);
    batch.sync = true;
    this.#granting.add(id);
    account.uses++;
    this.schedule();
    await batch.kept;
    account.uses--;
    this.#granting.delete(id);
    if (amount > 0) moveGranted(account, amount);
    return amount;
  }

  async limitCap(cap: CapBalance, parts: CapLimit): Promise<void> {
    assertUsable(cap);
    const limit = limitOfParts(parts);
    const before = cap.limitMicros;
    cap.limitMicros = limit;
    cap.limitParts = parts;
    if (limit < before) cap.loweredFromMicros = Math.max(cap.loweredFromMicros, before);
    const batch = this.filling;
    batch.limitCap(cap);
    await this.#keepCap(cap, batch);
  }

  async closeCap(cap: CapBalance, atMs: number): Promise<void> {
    assertUsable(cap);
    const batch = this.filling;
    batch.endCap(cap, atMs);
    cap.closesAtMs = atMs;
    await this.#keepCap(cap, batch);
  }

  async #keepCap(cap: CapBalance, batch: Batch): Promise<void> {
    batch.sync = true;
    cap.uses++;
    this.schedule();
    await batch.kept;
    cap.uses--;
  }

  get isFaulted(): boolean {
    return this.#isFaulted;
  }

  protected run(): void {
    if (!this.writing && !this.filling.isEmpty) this.#write(this.swap());
  }

  /** On a disk that does not answer, streams still finish; what they owe stays in line. */
  #letGo(): void {
    for (const batch of [this.writing, this.filling]) {
      if (batch && this.waitedMs(batch) > waitMsMax) batch.letGo();
    }
  }

  #write(batch: Batch): void {
    const write = { document: batch.document(), logged: batch.logged(), sync: batch.sync };
    this.#needs.write(write).then(
      () => {
        this.#isFaulted = false;
        batch.finish();
        this.goOn();
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
