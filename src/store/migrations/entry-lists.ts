// Indexes by which the lines of the ledger are listed: of one account, of all, and what was lost.
import type { Migration } from "../migrate.ts";

export const entryLists: Migration = () => [
  "create index entry_account on entry (account_id, at_ms, id)",
  "create index entry_time on entry (at_ms, id)",
  "create index entry_loss on entry (at_ms, id) where loss_micros > 0",
];
