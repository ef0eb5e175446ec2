// What a start does before anything is served: requests that died with the last process give their
// holds back, and the book is checked against its own entries.
import type { Store } from "../store/store.ts";
import { countHolds, invariants, recoverHolds } from "./queries.ts";

/** Returns how many holds were given back. Running it again changes nothing. */
export async function recover(store: Store, nowMs: number): Promise<number> {
  const [row] = await store.read({ sql: countHolds, parameters: [] });
  const count = Number(row?.["count"] ?? 0);
  if (count === 0) return 0;
  const statements = recoverHolds.map((sql, at) => ({ sql, parameters: at === 0 ? [nowMs] : [] }));
  await store.commit({ statements });
  return count;
}

export interface Violation {
  invariant: string;
  row: string;
}

const rowsShownMax = 20;

/** Every row that breaks an invariant of the book; none is what must come back. */
export async function verify(read: Pick<Store, "read">["read"]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [invariant, sql] of Object.entries(invariants)) {
    const rows = await read({ sql, parameters: [] });
    for (const row of rows.slice(0, rowsShownMax))
      found.push({ invariant, row: JSON.stringify(row) });
  }
  return found;
}
