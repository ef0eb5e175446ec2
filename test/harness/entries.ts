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

/** The entry by which a request was settled, once the journal has been taken over. */
export async function entryOf(
  gateway: Pick<Gateway, "folder">,
  requestId: string,
): Promise<LedgerEntry> {
  return await eventually(`the entry of ${requestId}`, async () => {
    const rows = await rowsOf<LedgerEntry>(
      gateway,
      `select * from entry where id = '${requestId}'`,
    );
    return rows[0];
  });
}
