// One commit of the journal: new holds, closing entries, the sums they move, and the records of the
// requests that they belong to.
import type { AccountId, KeyId } from "../core/ids.ts";
import type { CapTable } from "../store/tables/cap-schema.ts";
import type { EntryTable, LedgerAccountTable, LedgerKeyTable } from "../store/schema.ts";
import type { ListedRow, RowOf } from "../store/step.ts";
import type { Value } from "../store/store.ts";
import type { CapBalance } from "./cap.ts";
import {
  accountStep,
  capEndStep,
  capLimitStep,
  capRowStep,
  capStep,
  closeStep,
  entryStep,
  holdStep,
  keyStep,
  taskHoldStep,
} from "./queries.ts";
import { toCapRow, toLimitColumns, type HoldRow } from "./rows.ts";

type AccountDelta = Omit<LedgerAccountTable, "unlimited">;
type KeyDelta = Omit<LedgerKeyTable, "account_id" | "limit_micros">;
type CapDelta = Pick<CapTable, "id" | "held_micros" | "spent_micros" | "limit_micros">;
/** Rows by the names of their lists. */
type Lists = Record<string, Value[][]>;

export class Batch {
  /** True once it is written, false when those who wait for it are let go before it is. */
  readonly written: Promise<boolean>;
  /** Set when something in here must survive a loss of power before it is answered. */
  sync = false;
  size = 0;
  /** Since when someone waits for it; null while nobody does. */
  awaitedSinceMs: number | null = null;
  readonly #resolve: (isWritten: boolean) => void;
  readonly #reject: (error: Error) => void;
  #kept: PromiseWithResolvers<void> | null = null;
  /** Their cells are written out with the batch: some are closed before. */
  #holds: Map<string, HoldRow> | null = null;
  #closed: RowOf<typeof closeStep>[] | null = null;
  readonly #entries: Value[][] = [];
  readonly #accounts = new Map<AccountId, AccountDelta>();
  readonly #keys = new Map<KeyId, KeyDelta>();
  #caps: Map<string, CapDelta> | null = null;
  #capRows: RowOf<typeof capRowStep>[] | null = null;
  #capLimits: RowOf<typeof capLimitStep>[] | null = null;
  #capEnds: RowOf<typeof capEndStep>[] | null = null;
  #taskHolds: HoldRow[] | null = null;
  #taskEntries: Value[][] | null = null;
  #joined: Lists | null = null;
  #logged: Lists | null = null;
  recordCount = 0;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.written = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  addHold(row: HoldRow): void {
    this.#holds ??= new Map();
    this.#holds.set(row.id, row);
    this.size++;
  }

  /** A task's hold is never closed in the batch that made it. */
  addTaskHold(row: HoldRow): void {
    this.#taskHolds ??= [];
    this.#taskHolds.push(row);
    this.size++;
  }

  /** A row of another table that stands or falls with the money of its batch. */
  join(row: ListedRow): void {
    addTo((this.#joined ??= {}), row);
    this.size++;
  }

  /** Add a request's rows for the log, written with the money of its batch or not at all. */
  record(rows: readonly ListedRow[]): void {
    const lists = (this.#logged ??= {});
    for (const row of rows) addTo(lists, row);
    this.recordCount++;
  }

  get isEmpty(): boolean {
    return this.size === 0 && this.recordCount === 0;
  }

  addEntry(row: EntryTable): void {
    const { id, kind } = row;
    this.#entries.push(entryStep.cells(row));
    // A hold that is closed before it was written needs no writing at all.
    if (kind !== "grant" && !this.#holds?.delete(id)) (this.#closed ??= []).push({ id });
    this.size++;
  }

  /** An entry whose hold was never to be written. */
  enter(row: EntryTable): void {
    this.#entries.push(entryStep.cells(row));
    this.size++;
  }

  /** The end of a task whose hold is not this process's own. */
  endTask(row: EntryTable): void {
    this.#taskEntries ??= [];
    this.#taskEntries.push(entryStep.cells(row));
    this.size++;
  }

  moveGranted(id: AccountId, by: number): void {
    const sums = this.#account(id);
    sums.granted_micros += by;
    sums.available_micros += by;
  }

  moveHeld(accountId: AccountId, keyId: KeyId, by: number): void {
    const sums = this.#account(accountId);
    sums.available_micros -= by;
    sums.held_micros += by;
    this.#key(keyId).held_micros += by;
  }

  moveSpent(accountId: AccountId, keyId: KeyId, by: number): void {
    const sums = this.#account(accountId);
    sums.available_micros -= by;
    sums.spent_micros += by;
    this.#key(keyId).spent_micros += by;
  }

  /** Micros held and spent under each of them. */
  moveCaps(caps: readonly CapBalance[], heldMicros: number, spentMicros: number): void {
    for (const cap of caps) {
      const sums = this.#cap(cap);
      sums.held_micros += heldMicros;
      sums.spent_micros += spentMicros;
    }
  }

  /** Spent under caps by what has no entry that names them. */
  countCost(caps: readonly CapBalance[], costMicros: number): void {
    this.moveCaps(caps, 0, costMicros);
    this.size++;
  }

  /** Held under caps whose rows are there. */
  moveHeldCaps(ids: readonly string[], by: number): void {
    for (const id of ids) this.#capDelta(id).held_micros += by;
  }

  /** The row as it is now, of its limit. */
  limitCap(cap: CapBalance): void {
    const { id, limitMicros, loweredFromMicros } = cap;
    this.#cap(cap);
    const bounds = { limit_micros: limitMicros, lowered_from_micros: loweredFromMicros };
    (this.#capLimits ??= []).push({ id, ...bounds, ...toLimitColumns(cap.limitParts) });
    this.size++;
  }

  endCap(cap: CapBalance, atMs: number): void {
    this.#cap(cap);
    (this.#capEnds ??= []).push({ id: cap.id, closes_at_ms: atMs });
    this.size++;
  }

  /** The row goes along as it was before this batch: nobody need know whether it was made. */
  #cap(cap: CapBalance): CapDelta {
    const known = this.#caps?.get(cap.id);
    if (known) return known;
    if (!cap.isBooked) (this.#capRows ??= []).push(toCapRow(cap));
    return this.#capDelta(cap.id);
  }

  #capDelta(id: string): CapDelta {
    this.#caps ??= new Map();
    let sums = this.#caps.get(id);
    if (!sums) {
      this.#caps.set(id, (sums = { id, held_micros: 0, spent_micros: 0, limit_micros: 0 }));
    }
    return sums;
  }

  #account(id: AccountId): AccountDelta {
    let sums = this.#accounts.get(id);
    if (sums) return sums;
    sums = {
      account_id: id,
      granted_micros: 0,
      available_micros: 0,
      held_micros: 0,
      spent_micros: 0,
    };
    this.#accounts.set(id, sums);
    return sums;
  }

  #key(id: KeyId): KeyDelta {
    let sums = this.#keys.get(id);
    if (!sums) this.#keys.set(id, (sums = { key_id: id, held_micros: 0, spent_micros: 0 }));
    return sums;
  }

  /** The document of the ledger's program, with lists that somebody else has for it. */
  document(more?: object): string {
    const lists: Record<string, unknown> = { ...this.#joined, ...more };
    // An empty list is left out: a database would look at it all the same.
    if (this.#holds?.size) lists[holdStep.list] = holdStep.allCells(this.#holds.values());
    if (this.#taskHolds) lists[taskHoldStep.list] = taskHoldStep.allCells(this.#taskHolds);
    if (this.#closed) lists[closeStep.list] = closeStep.allCells(this.#closed);
    if (this.#entries.length > 0) lists[entryStep.list] = this.#entries;
    if (this.#accounts.size > 0) {
      lists[accountStep.list] = accountStep.allCells(this.#accounts.values());
    }
    if (this.#keys.size > 0) lists[keyStep.list] = keyStep.allCells(this.#keys.values());
    if (this.#capRows) lists[capRowStep.list] = capRowStep.allCells(this.#capRows);
    if (this.#capLimits) lists[capLimitStep.list] = capLimitStep.allCells(this.#capLimits);
    if (this.#caps) lists[capStep.list] = capStep.allCells(this.#caps.values());
    if (this.#capEnds) lists[capEndStep.list] = capEndStep.allCells(this.#capEnds);
    if (this.#taskEntries) lists["taskEntries"] = this.#taskEntries;
    return JSON.stringify(lists);
  }

  /** The document of the log's program; undefined where there is nothing to log. */
  logged(): string | undefined {
    return this.#logged ? JSON.stringify(this.#logged) : undefined;
  }

  /** Resolves once it is written, however long that takes. */
  get kept(): Promise<void> {
    this.#kept ??= Promise.withResolvers<void>();
    return this.#kept.promise;
  }

  /** Tells everyone that it is written. */
  finish(): void {
    this.#resolve(true);
    this.#kept?.resolve();
  }

  /** Tells everyone that it never will be. */
  fail(error: Error): void {
    // Not everyone listens, and nobody must.
    this.written.catch(() => undefined);
    this.#reject(error);
    this.#kept?.promise.catch(() => undefined);
    this.#kept?.reject(error);
  }

  /** Sends those on who need not wait for it any longer; it stays in line. */
  letGo(): void {
    this.#resolve(false);
  }
}

function addTo(lists: Lists, { list, cells }: ListedRow): void {
  (lists[list] ??= []).push(cells);
}
