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
}

export interface EntryRow {
  kind: string;
  account: string;
  key: string;
  micros: number;
}

export interface NodeRow {
  seq: number;
  isLive: boolean;
  leaseUntil: number;
}

export class BookRows {
  readonly nodes = new Map<string, NodeRow>();
  readonly accounts = new Map<string, AccountRow>();
  readonly keys = new Map<string, KeyRow>();
  /** By node, then by account or key. */
  readonly slices = new Map<string, Map<string, SliceRow>>();
  readonly keySlices = new Map<string, Map<string, KeySliceRow>>();
  readonly holds = new Map<string, HoldRow>();
  readonly entries = new Map<string, EntryRow>();
  readonly recalls = new Map<string, number>();

  slicesOf(account: string): SliceRow[] {
    return [...this.slices.values()].flatMap((rows) => rows.get(account) ?? []);
  }

  keySlicesOf(key: string): KeySliceRow[] {
    return [...this.keySlices.values()].flatMap((rows) => rows.get(key) ?? []);
  }

  check(): void {
    for (const [id, row] of this.accounts) this.#checkAccount(id, row);
    for (const [id, row] of this.keys) this.#checkKey(id, row);
    for (const [id] of this.holds) {
      if (this.entries.has(id)) throw new BrokenPromise(`${id} is open and closed`);
    }
  }

  #checkAccount(id: string, row: AccountRow): void {
    const slices = this.slicesOf(id);
    const posts = sum([...this.entries.values()].filter((entry) => entry.account === id), "micros");
    const holds = sum([...this.holds.values()].filter((hold) => hold.account === id), "micros");
    mustBe(row.granted, row.available + row.lent + row.held + row.spent, `${id} is whole`);
    mustBe(row.lent, sum(slices, "granted"), `what is lent of ${id} is what slices have`);
    mustBe(row.spent + sum(slices, "spent"), posts, `what ${id} spent is the sum of its posts`);
    mustBe(row.held + sum(slices, "held"), holds, `what is held of ${id} is the sum of its holds`);
    if (row.available < 0) throw new BrokenPromise(`${id} is overdrawn`);
    for (const slice of slices) {
      mustBe(slice.granted, slice.available + slice.held + slice.spent, `a slice of ${id} is whole`);
      if (slice.available < 0) throw new BrokenPromise(`a slice of ${id} is overdrawn`);
    }
  }

  #checkKey(id: string, row: KeyRow): void {
    const slices = this.keySlicesOf(id);
    const posts = sum([...this.entries.values()].filter((entry) => entry.key === id), "micros");
    const holds = sum([...this.holds.values()].filter((hold) => hold.key === id), "micros");
    const spent = row.spent + sum(slices, "spent");
    const held = row.held + sum(slices, "held");
    mustBe(spent, posts, `what ${id} spent is the sum of its posts`);
    mustBe(held, holds, `what is held of ${id} is the sum of its holds`);
    mustBe(row.lent, sum(slices, "granted"), `what is lent of ${id} is what slices have`);
    if (row.limit !== null && spent + held > row.limit) {
      throw new BrokenPromise(`${id} is past its limit`);
    }
  }
}

function sum<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function mustBe(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new BrokenPromise(`${what}: ${actual} is not ${expected}`);
}
