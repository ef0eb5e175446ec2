// The lines of the ledger as a table for other programs, a part at a time.
import { csvLine } from "../../core/csv.ts";
import { readOn } from "../../quota/history/read-entries.ts";
import type { EntryPlace } from "../../quota/history/queries.ts";
import type { QueryOf } from "../call.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { ledgerFilter, LedgerView } from "./contract.ts";
import { toFilter, toLedgerViews } from "./list.ts";

const rowsAtOnce = 1000;
const rowsMax = 1_000_000;
const columns = [
  ...(["at", "id", "kind", "account", "micros", "held_micros", "given_back_micros"] as const),
  ...(["loss_micros", "key_id", "group", "model", "price", "usage", "reason", "actor"] as const),
] satisfies (keyof LedgerView)[];

/** Faults of the query are thrown before the first piece. */
export async function ledgerCsv(
  needs: RecordNeeds,
  query: QueryOf<typeof ledgerFilter>,
): Promise<AsyncIterable<Uint8Array>> {
  const filter = await toFilter(needs, query);
  await needs.ledger.settled();
  await needs.store.applied();
  return pieces();

  async function* pieces() {
    const encoder = new TextEncoder();
    yield encoder.encode(csvLine(columns));
    let after: EntryPlace | null = null;
    for (let count = 0; count < rowsMax; count += rowsAtOnce) {
      const page = { limit: rowsAtOnce, offset: 0, after };
      const part: Awaited<ReturnType<typeof readOn>> = await readOn(needs.database, filter, page);
      const views = await toLedgerViews(needs, part.rows);
      const lines = views.map((view) => csvLine(columns.map((name) => toCell(view, name))));
      if (lines.length > 0) yield encoder.encode(lines.join(""));
      after = part.next;
      if (after === null) return;
    }
  }
}

function toCell(view: LedgerView, name: (typeof columns)[number]): string | number | null {
  return name === "at" ? new Date(view.at * 1000).toISOString() : view[name];
}
