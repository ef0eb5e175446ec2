// Credits of the ledger, as people read them.
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type { EntryTable } from "../../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";

interface GrantFilter {
  accountId?: AccountId;
  fromMs?: number;
  /** Up to, but without, this moment. */
  toMs?: number;
}

/** Newest first. */
export async function listGrants(
  database: Database,
  { accountId, fromMs, toMs }: GrantFilter,
  page: Page,
): Promise<PageOfRows<EntryTable>> {
  let matching = database.selectFrom("entry").where("kind", "=", "grant");
  if (accountId !== undefined) matching = matching.where("account_id", "=", accountId);
  if (fromMs !== undefined) matching = matching.where("at_ms", ">=", fromMs);
  if (toMs !== undefined) matching = matching.where("at_ms", "<", toMs);
  const rows = matching.selectAll().orderBy("at_ms", "desc").orderBy("id", "desc");
  return await selectPage(rows, matching, page);
}

/** What was booked under the id of a request or task; none while it is held, or where it was free. */
export async function findBooking(database: Database, id: string): Promise<EntryTable | undefined> {
  return await database
    .selectFrom("entry")
    .where("id", "=", id)
    .where("kind", "<>", "grant")
    .selectAll()
    .executeTakeFirst();
}
