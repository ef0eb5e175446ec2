// What the journal writes in one commit: new holds, closing entries, and the sums they move.
import type { AccountId, KeyId } from "../core/ids.ts";
import type { Micros } from "../core/money.ts";

export interface HoldLine {
  id: string;
  account: { id: AccountId };
  key: { id: KeyId };
  group: string;
  model: string;
  micros: Micros;
  price: string;
}

export interface EntryLine {
  id: string;
  kind: "grant" | "post" | "void";
  accountId: AccountId;
  keyId: KeyId | null;
  group: string | null;
  model: string | null;
  heldMicros: number;
  micros: number;
  lossMicros: number;
  price: string | null;
  usage: string | null;
  reason: string | null;
  actor: string | null;
}

export type Cell = string | number | null;

/** Rows of other tables that stand or fall with the money of their batch. */
export type JoinedList =
  "tasks" | "taskChanges" | "creates" | "deliveries" | "redemptions" | "auditEntries";
export type JoinedRow = [list: JoinedList, cells: Cell[]];
type AccountDelta = [AccountId, granted: number, available: number, held: number, spent: number];
type KeyDelta = [KeyId, held: number, spent: number];

/** Its cells are written out with the batch: most holds are closed before. */
interface DatedHold {
  line: HoldLine;
  atMs: number;
}

export class Batch {
  /** True once it is written, false when those who wait for it are let go before it is. */
  readonly written: Promise<boolean>;
  /** Set when something in here must survive a loss of power before it is answered. */
  sync = false;
  size = 0;
  /** Since when someone waits for it; null while nobody does. */
  awaitedSinceMs: number | null = null;
  readonly #resolve: (isWritten: boolean) => void;
  #kept: PromiseWithResolvers<void> | null = null;
  readonly #holds = new Map<string, DatedHold>();
  readonly #closed: Cell[][] = [];
  readonly #entries: Cell[][] = [];
  readonly #accounts = new Map<AccountId, AccountDelta>();
  readonly #keys = new Map<KeyId, KeyDelta>();
  #taskHolds: DatedHold[] | null = null;
  #joined: Map<JoinedList, Cell[][]> | null = null;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.written = promise;
    this.#resolve = resolve;
  }

  addHold(line: HoldLine, atMs: number): void {
    this.#holds.set(line.id, { line, atMs });
    this.size++;
  }

  /** A task's hold outlives the process, and is never closed in the batch that made it. */
  addTaskHold(line: HoldLine, atMs: number): void {
    this.#taskHolds ??= [];
    this.#taskHolds.push({ line, atMs });
    this.size++;
  }

  join(list: JoinedList, cells: Cell[]): void {
    this.#joined ??= new Map();
    const rows = this.#joined.get(list);
    if (rows) rows.push(cells);
    else this.#joined.set(list, [cells]);
    this.size++;
  }

  addEntry(line: EntryLine, atMs: number): void {
    this.#entries.push([
      line.id,
      line.kind,
      line.accountId,
      line.keyId,
      line.group,
      line.model,
      line.heldMicros,
      line.micros,
      line.lossMicros,
      line.price,
      line.usage,
      line.reason,
      line.actor,
      atMs,
    ]);
    // A hold that is closed before it was written needs no writing at all.
    if (line.kind !== "grant" && !this.#holds.delete(line.id)) this.#closed.push([line.id]);
    this.size++;
  }

  moveGranted(id: AccountId, by: number): void {
    const sums = this.#account(id);
    sums[1] += by;
    sums[2] += by;
  }

  moveHeld(accountId: AccountId, keyId: KeyId, by: number): void {
    const sums = this.#account(accountId);
    sums[2] -= by;
    sums[3] += by;
    this.#key(keyId)[1] += by;
  }

  moveSpent(accountId: AccountId, keyId: KeyId, by: number): void {
    const sums = this.#account(accountId);
    sums[2] -= by;
    sums[4] += by;
    this.#key(keyId)[2] += by;
  }

  #account(id: AccountId): AccountDelta {
    let sums = this.#accounts.get(id);
    if (!sums) this.#accounts.set(id, (sums = [id, 0, 0, 0, 0]));
    return sums;
  }

  #key(id: KeyId): KeyDelta {
    let sums = this.#keys.get(id);
    if (!sums) this.#keys.set(id, (sums = [id, 0, 0]));
    return sums;
  }

  /** The document of the ledger's program. */
  document(): string {
    return JSON.stringify({
      holds: Array.from(this.#holds.values(), toCells),
      ...(this.#taskHolds && { taskHolds: this.#taskHolds.map(toCells) }),
      closed: this.#closed,
      entries: this.#entries,
      accounts: [...this.#accounts.values()],
      keys: [...this.#keys.values()],
      ...(this.#joined && Object.fromEntries(this.#joined)),
    });
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

  /** Sends those on who need not wait for it any longer; it stays in line. */
  letGo(): void {
    this.#resolve(false);
  }
}

function toCells({ line, atMs }: DatedHold): Cell[] {
  const { id, account, key, group, model, micros, price } = line;
  return [id, account.id, key.id, group, model, micros, price, atMs];
}
