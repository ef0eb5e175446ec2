// Questions to the books as a whole, which take long and go past the pages of the console.
import type { AccountId } from "../../core/ids.ts";
import type { RecordNeeds } from "../record-needs.ts";

export interface BooksVerdict {
  atMs: number;
  tookMs: number;
  rows: { accounts: number; keys: number; holds: number; entries: number };
  invariants: readonly string[];
  /** Each row as JSON. */
  violations: readonly { invariant: string; row: string }[];
}

/** Sum of lines of one kind. */
export interface EntrySum {
  count: number;
  micros: number;
  heldMicros: number;
  lossMicros: number;
}

export interface AccountSums {
  isUnlimited: boolean;
  grantedMicros: number;
  availableMicros: number;
  heldMicros: number;
  spentMicros: number;
  grants: EntrySum;
  posts: EntrySum;
  voids: EntrySum;
  holds: EntrySum;
}

export interface Books {
  /** Since the start. */
  readonly last: BooksVerdict | null;
  verify(): Promise<BooksVerdict>;
  /** Null of an account without a balance. Afresh: nothing is taken from the last time. */
  sums(accountId: AccountId, isAfresh?: boolean): Promise<AccountSums | null>;
}

export interface BooksNeeds {
  records: RecordNeeds;
  books: Books;
}
