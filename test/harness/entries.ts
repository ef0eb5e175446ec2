// Ledger entries of a request, read from the database of a gateway that runs.
import { eventually } from "./books.ts";
import type { Gateway } from "./gateway.ts";
import { rowsOf } from "./rows.ts";

export type LedgerEntry = {
  kind: "post" | "void";
  held_micros: number;
  micros: number;
  loss_micros: number;
  price: string | null;
  usage: string | null;
  reason: string | null;
};

/** The entry by which a request was settled, whose answer may have come before it was booked. */
export async function entryOf(gateway: Gateway, requestId: string): Promise<LedgerEntry> {
  return await eventually(`the entry of ${requestId}`, async () => {
    // A question for the list hastens what the journal passes on; a stopped gateway has done it.
    await gateway.control("GET", `/api/ledger?id=${requestId}`).catch(() => {});
    const rows = await rowsOf<LedgerEntry>(
      gateway,
      `select * from entry where id = '${requestId}'`,
    );
    return rows[0];
  });
}
