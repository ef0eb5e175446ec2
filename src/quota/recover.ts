// What a start does before anything is served: requests that died with the last process give their
// holds back, and the book is checked against its own entries.
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { countRequestHolds, invariants, recoverHolds } from "./queries.ts";

interface RecoverNeeds {
  store: Store;
  database: Database;
}

/** Returns how many holds were given back. It is idempotent. */
export async function recover({ store, database }: RecoverNeeds, nowMs: number): Promise<number> {
  const count = await countRequestHolds(database);
  if (count > 0) await store.commit({ statements: recoverHolds(database, nowMs) });
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
