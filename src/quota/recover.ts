// The first work of a start, before anything is served: requests that died with the last process
// give their holds back, and the book is checked against its own entries.
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { ListedRow } from "../store/step.ts";
import { Batch } from "./batch.ts";
import { capIdsOf } from "./cap.ts";
import { invariants, ledgerProgram, listRequestHolds, selectUnexplainedLimits } from "./queries.ts";
import { toRecoveredRow, type HoldRow } from "./rows.ts";

export interface RecoverNeeds {
  store: Store;
  database: Database;
  /** Records of them for the log, in the same line of the journal. */
  toRecords(holds: readonly HoldRow[]): Promise<ListedRow[]>;
}

const atOnceMax = 1000;

/** Returns how many holds were given back. It is idempotent. */
export async function recover(needs: RecoverNeeds, nowMs: number): Promise<number> {
  const { store, database } = needs;
  let count = 0;
  for (let last = ""; ;) {
    await store.applied();
    const holds = await listRequestHolds(database, atOnceMax);
    const [first] = holds;
    if (!first) return count;
    if (first.id === last) throw new Error(`the hold of ${last} cannot be given back`);
    await giveBack(needs, holds, nowMs);
    last = first.id;
    count += holds.length;
  }
}

/** Voids them; what they may have cost is booked as loss. */
async function giveBack(
  { store, toRecords }: RecoverNeeds,
  holds: readonly HoldRow[],
  nowMs: number,
): Promise<void> {
  const batch = new Batch();
  for (const hold of holds) {
    batch.addEntry(toRecoveredRow(hold, nowMs));
    batch.moveHeld(hold.account_id, hold.key_id, -hold.micros);
    batch.moveHeldCaps(capIdsOf(hold.caps), -hold.micros);
  }
  batch.record(await toRecords(holds));
  const run = { program: ledgerProgram, document: batch.document(), logged: batch.logged() };
  await store.append(run, "synced");
}

export interface Violation {
  invariant: string;
  row: string;
}

const rowsShownMax = 20;

/** Every row that breaks an invariant of the book; none is what must come back. */
export async function verify(read: Pick<Store, "read">["read"]): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [invariant, sql] of Object.entries(invariants)) {
    const rows = await read({ sql, parameters: [] });
    violations.push(...toViolations(invariant, rows));
  }
  return violations;
}

/** No money is wrong where it does not hold, so it stops no start. */
export const limitInvariant =
  "an open window's limit is its budget's, with what it carried and was raised by";

/** Open windows whose limit nothing explains. */
export async function verifyLimits(database: Database, nowMs: number): Promise<Violation[]> {
  return toViolations(limitInvariant, await selectUnexplainedLimits(database, nowMs).execute());
}

function toViolations(invariant: string, rows: readonly object[]): Violation[] {
  return rows.slice(0, rowsShownMax).map((row) => ({ invariant, row: JSON.stringify(row) }));
}
