// What the ledger has of a request, read from the database of a gateway that runs.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { eventually } from "./books.ts";
import type { Gateway } from "./gateway.ts";
import { isOnPostgres, rowsIn } from "./postgres.ts";

export interface LedgerEntry {
  kind: "post" | "void";
  held_micros: number;
  micros: number;
  loss_micros: number;
  usage: string | null;
  reason: string | null;
}

const busyMs = 10_000;

/** PostgreSQL's client has large numbers as text. */
function toEntry(row: Record<string, unknown>): LedgerEntry {
  const { held_micros, micros, loss_micros, ...rest } = row as unknown as LedgerEntry;
  const [held, charged, lost] = [held_micros, micros, loss_micros].map(Number);
  return { ...rest, held_micros: held ?? 0, micros: charged ?? 0, loss_micros: lost ?? 0 };
}

/** The entry by which a request was settled, once the journal has been taken over. */
export async function entryOf(
  { folder }: Pick<Gateway, "folder">,
  requestId: string,
): Promise<LedgerEntry> {
  return await eventually(`the entry of ${requestId}`, async () => {
    if (isOnPostgres) {
      const [row] = await rowsIn(folder, `select * from entry where id = '${requestId}'`);
      return row && toEntry(row);
    }
    using database = new Database(join(folder, "sluice.db"));
    database.run(`pragma busy_timeout = ${busyMs}`);
    const found = database.query<LedgerEntry, [string]>("select * from entry where id = ?");
    return found.get(requestId) ?? undefined;
  });
}
