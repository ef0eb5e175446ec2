// The rows of the database that nodes share, as far as money is concerned, and what must hold of
// them at every moment.
import { BrokenPromise } from "../failure.ts";

export interface AccountRow {
  granted: number;
  available: number;
  lent: number;
  held: number;
  spent: number;
}

export interface KeyRow {
  account: string;
  limit: number | null;
  lent: number;
  held: number;
  spent: number;
}

/** Only a hard one has a limit that is lent; `whole` is the limit of any. */
export interface CapRow extends KeyRow {
  mode: string;
  whole: number;
  /** The highest limit that it was lowered from. */
  loweredFrom: number;
  /** Every limit that it was given since it was made. */
  limits: number[];
}

export interface SliceRow {
  granted: number;
  available: number;
  held: number;
  spent: number;
  lentEver: number;
  returnedAt: number;
}

export interface KeySliceRow extends Omit<SliceRow, "available"> {
  limited: boolean;
}

export interface HoldRow {
  node: string | null;
  account: string;
  key: string;
  micros: number;
  caps: readonly string[];
}

export interface EntryRow {
  kind: string;
  account: string;
  key: string;
  micros: number;
  caps: readonly string[];
}

export interface NodeRow {
  seq: number;
  isLive: boolean;
  leaseUntil: number;
  turnedAt: number;
}

export class BookRows {
  readonly nodes = new Map<string, NodeRow>();
  readonly accounts = new Map<string, AccountRow>();
  readonly keys = new Map<string, KeyRow>();
  /** Slices by node, then by account or key. */
  readonly slices = new Map<string, Map<string, SliceRow>>();
  readonly keySlices = new Map<string, Map<string, KeySliceRow>>();
  readonly caps = new Map<string, CapRow>();
  readonly capSlices = new Map<string, Map<string, KeySliceRow>>();
  readonly holds = new Map<string, HoldRow>();
  readonly entries = new Map<string, EntryRow>();
  readonly recalls = new Map<string, number>();

  slicesOf(account: string): SliceRow[] {
    return rowsOf(this.slices, account);
  }

  /** Lent of it to nodes, and neither held nor spent. */
  idleOfCap(cap: string): number {
    const limited = rowsOf(this.capSlices, cap).filter((slice) => slice.limited);
    return sum(limited, "granted") - sum(limited, "held") - sum(limited, "spent");
  }

  /** Spent and held under it by all. */
  usedOfCap(cap: string): { spent: number; held: number } {
    const row = this.caps.get(cap);
    const slices = rowsOf(this.capSlices, cap);
    const spent = (row?.spent ?? 0) + sum(slices, "spent");
    return { spent, held: (row?.held ?? 0) + sum(slices, "held") };
  }

  check(): void {
    const posts = new Sums();
    const holds = new Sums();
    for (const entry of this.entries.values()) posts.add(entry);
    for (const hold of this.holds.values()) holds.add(hold);
    for (const [id, row] of this.accounts) this.#checkAccount(id, row, posts.of(id), holds.of(id));
    const checkLimited = (slices: BookRows["keySlices"]) => (row: KeyRow, id: string) =>
      this.#checkKey(id, row, rowsOf(slices, id), [posts.of(id), holds.of(id)]);
    this.keys.forEach(checkLimited(this.keySlices));
    const checkCap = checkLimited(this.capSlices);
    this.caps.forEach((row, id) => {
      const limit = row.limit === null ? null : Math.max(row.limit, row.loweredFrom);
      checkCap({ ...row, limit }, id);
    });
    for (const [id] of this.holds) {
      if (this.entries.has(id)) throw new BrokenPromise(`${id} is open and closed`);
    }
  }

  #checkAccount(id: string, row: AccountRow, posts: number, holds: number): void {
    const slices = this.slicesOf(id);
    mustBe(row.granted, row.available + row.lent + row.held + row.spent, `${id} is whole`);
    mustBe(row.lent, sum(slices, "granted"), `what is lent of ${id} is what slices have`);
    mustBe(row.spent + sum(slices, "spent"), posts, `what ${id} spent is the sum of its posts`);
    mustBe(row.held + sum(slices, "held"), holds, `what is held of ${id} is the sum of its holds`);
    if (row.available < 0) throw new BrokenPromise(`${id} is overdrawn`);
    for (const slice of slices) {
      mustBe(
        slice.granted,
        slice.available + slice.held + slice.spent,
        `a slice of ${id} is whole`,
      );
      if (slice.available < 0) throw new BrokenPromise(`a slice of ${id} is overdrawn`);
    }
  }

  #checkKey(
    id: string,
    row: KeyRow,
    slices: KeySliceRow[],
    [posts, holds]: readonly [number, number],
  ): void {
    const spent = row.spent + sum(slices, "spent");
    const held = row.held + sum(slices, "held");
    mustBe(spent, posts, `what ${id} spent is the sum of its posts`);
    mustBe(held, holds, `what is held of ${id} is the sum of its holds`);
    mustBe(row.lent, sum(slices, "granted"), `what is lent of ${id} is what slices have`);
    if (row.limit !== null && row.spent + row.held + row.lent > row.limit) {
      throw new BrokenPromise(`${id} is past its limit`);
    }
  }
}

function rowsOf<Row>(all: ReadonlyMap<string, ReadonlyMap<string, Row>>, id: string): Row[] {
  const rows: Row[] = [];
  for (const ofNode of all.values()) {
    const row = ofNode.get(id);
    if (row) rows.push(row);
  }
  return rows;
}

/** Sums of amounts, by account, by key and by cap. */
class Sums {
  readonly #sums = new Map<string, number>();

  add({ account, key, micros, caps }: Pick<HoldRow, "account" | "key" | "micros" | "caps">): void {
    for (const id of [account, key, ...caps]) this.#sums.set(id, this.of(id) + micros);
  }

  of(id: string): number {
    return this.#sums.get(id) ?? 0;
  }
}

function sum<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  let total = 0;
  for (const row of rows) total += row[name];
  return total;
}

function mustBe(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new BrokenPromise(`${what}: ${actual} is not ${expected}`);
}
