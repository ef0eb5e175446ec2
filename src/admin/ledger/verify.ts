// Verification of the books, the same as the command line's.
import type { Operator } from "../../identity/caller.ts";
import type { VerdictView } from "./contract.ts";
import { toSeconds } from "../input.ts";
import type { BooksNeeds, BooksVerdict } from "./needs.ts";

export async function verifyNow({ records, books }: BooksNeeds): Promise<VerdictView> {
  await records.ledger.settled();
  await records.store.applied();
  return toView(await books.verify());
}

/** Since the start; null where nobody has asked. */
export async function readVerdict(
  { books }: BooksNeeds,
  _operator: Operator,
): Promise<VerdictView | null> {
  return books.last && toView(books.last);
}

function toView({ atMs, tookMs, rows, invariants, violations }: BooksVerdict): VerdictView {
  return {
    ok: violations.length === 0,
    at: toSeconds(atMs),
    took_ms: Math.ceil(tookMs),
    rows,
    invariants: invariants.map((name) => {
      const broken = violations.filter(({ invariant }) => invariant === name);
      return {
        name,
        holds: broken.length === 0,
        violations: broken.map(({ row }) => JSON.parse(row)),
      };
    }),
  };
}
