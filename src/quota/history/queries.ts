// Lines of the ledger and open holds, as people read them.
import { sql } from "kysely";
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type { CapTable } from "../../store/tables/cap-schema.ts";
import type { EntryTable } from "../../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import type { Statement } from "../../store/store.ts";
import { capOf, freshCap, type CapLimit, type CapTerms } from "../cap.ts";
import { toCapRow, toLimitColumns } from "../rows.ts";

export interface EntryFilter {
  accountId?: AccountId;
  /** Any of these. */
  keyIds?: readonly KeyId[];
  kind?: EntryTable["kind"];
  /** One of these. */
  ids?: readonly string[];
  /** Only what was, or may have been, a loss. */
  hasLoss?: true;
  fromMs?: number;
  /** Up to, but without, this moment. */
  toMs?: number;
}

/** A place in the order of the list: of its moment, and then by id. */
export interface EntryPlace {
  atMs: number;
  id: string;
}

/** Newest first. */
export async function listGrants(
  database: Database,
  filter: EntryFilter,
  page: Page,
): Promise<PageOfRows<EntryTable>> {
  const matching = matchingEntries(database, { ...filter, kind: "grant" });
  const rows = matching.selectAll().orderBy("at_ms", "desc").orderBy("id", "desc");
  return await selectPage(rows, matching, page);
}

/** The entry booked under the id of a request or task; none while it is held. */
export async function findBooking(database: Database, id: string): Promise<EntryTable | undefined> {
  return await database
    .selectFrom("entry")
    .where("id", "=", id)
    .where("kind", "<>", "grant")
    .selectAll()
    .executeTakeFirst();
}

/** Windows of a budget, or of one subject of it, newest first. */
export async function listCaps(
  database: Database,
  { budgetId, subjectId }: { budgetId: string; subjectId: string | null },
  page: Page,
): Promise<PageOfRows<CapTerms>> {
  let matching = database.selectFrom("cap_balance").where("budget_id", "=", budgetId);
  if (subjectId !== null) matching = matching.where("subject_id", "=", subjectId);
  const rows = matching.selectAll().orderBy("opened_at_ms", "desc").orderBy("id");
  const { items, total } = await selectPage(rows, matching, page);
  return { items: items.map((row) => capOf(row, "")), total };
}

/** Windows of a budget that are not over. */
export async function listOpenCaps(
  database: Database,
  budgetId: string,
  nowMs: number,
): Promise<CapTable[]> {
  return await database
    .selectFrom("cap_balance")
    .selectAll()
    .where("budget_id", "=", budgetId)
    .where((row) => row.or([row("closes_at_ms", "is", null), row("closes_at_ms", ">", nowMs)]))
    .execute();
}

/** The row of a window that nothing was held under yet; one that is there stays as it is. */
export function insertOfCap(database: Database, terms: CapTerms) {
  const row = toCapRow(freshCap(terms));
  return database
    .insertInto("cap")
    .values({ ...row, lowered_from_micros: 0, held_micros: 0, spent_micros: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing());
}

/** Parts of a limit that stays as it is. */
export async function writeLimitParts(
  database: Database,
  id: string,
  parts: CapLimit,
): Promise<void> {
  await database.updateTable("cap").set(toLimitColumns(parts)).where("id", "=", id).execute();
}

function matchingEntries(database: Database, filter: EntryFilter) {
  const { accountId, keyIds, kind, ids, hasLoss, fromMs, toMs } = filter;
  let matching = database.selectFrom("entry");
  if (ids !== undefined) matching = matching.where("id", "in", ids);
  if (accountId !== undefined) matching = matching.where("account_id", "=", accountId);
  if (keyIds !== undefined) matching = matching.where("key_id", "in", keyIds);
  // Spelt out, because an index of some lines alone is found by its own words.
  if (kind !== undefined) matching = matching.where("kind", "=", sql.lit(kind));
  if (hasLoss) matching = matching.where("loss_micros", ">", sql.lit(0));
  if (fromMs !== undefined) matching = matching.where("at_ms", ">=", fromMs);
  if (toMs !== undefined) matching = matching.where("at_ms", "<", toMs);
  return matching;
}

/** The stretch of a list: from behind one place up to and with another. */
export interface Stretch {
  after: EntryPlace | null;
  end: EntryPlace | null;
}

function within(database: Database, filter: EntryFilter, { after, end }: Stretch) {
  let matching = matchingEntries(database, filter);
  if (after) {
    matching = matching
      .where("at_ms", "<=", after.atMs)
      .where(({ eb, or }) => or([eb("at_ms", "<", after.atMs), eb("id", "<", after.id)]));
  }
  if (end) {
    matching = matching
      .where("at_ms", ">=", end.atMs)
      .where(({ eb, or }) => or([eb("at_ms", ">", end.atMs), eb("id", ">=", end.id)]));
  }
  return matching;
}

/** Newest first. */
export async function listEntryRows(
  database: Database,
  filter: EntryFilter,
  stretch: Stretch,
  page: Page,
): Promise<EntryTable[]> {
  return await within(database, filter, stretch)
    .selectAll()
    .orderBy("at_ms", "desc")
    .orderBy("id", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

/** The one so many places on. */
export async function findEntryPlace(
  database: Database,
  filter: EntryFilter,
  stretch: Stretch,
  offset: number,
): Promise<EntryPlace | null> {
  const row = await within(database, filter, stretch)
    .select(["at_ms", "id"])
    .orderBy("at_ms", "desc")
    .orderBy("id", "desc")
    .offset(offset)
    .limit(1)
    .executeTakeFirst();
  return row ? { atMs: row.at_ms, id: row.id } : null;
}

/** At most `most`. */
export async function countEntries(
  database: Database,
  filter: EntryFilter,
  stretch: Stretch,
  most: number,
): Promise<number> {
  const counted = await database
    .selectFrom(within(database, filter, stretch).select("id").limit(most).as("counted"))
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirst();
  return Number(counted?.total ?? 0);
}

interface HoldFilter {
  accountId?: AccountId;
  kind?: "request" | "task";
}

/** The oldest first: what is held for long is what somebody looks for. */
export async function listHolds(database: Database, filter: HoldFilter, page: Page) {
  let matching = database.selectFrom("hold");
  if (filter.accountId !== undefined) {
    matching = matching.where("account_id", "=", filter.accountId);
  }
  if (filter.kind !== undefined) matching = matching.where("kind", "=", filter.kind);
  const rows = matching.selectAll().orderBy("created_at_ms").orderBy("id");
  const sum = await matching
    .select(({ fn }) => fn.sum<number>("micros").as("micros"))
    .executeTakeFirst();
  return { ...(await selectPage(rows, matching, page)), micros: Number(sum?.micros ?? 0) };
}

/** For whoever reads the whole book by a connection of their own. */
export function balanceOf(accountId: string): Statement {
  return { sql: "select * from account_balance where account_id = ?", parameters: [accountId] };
}

/** Sums of entries from one moment to before another. */
export function sumsOfAccount(
  accountId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Statement {
  return {
    sql: `select kind, count(*) as count, sum(micros) as micros, sum(held_micros) as held_micros,
      sum(loss_micros) as loss_micros from entry
      where account_id = ? and at_ms >= ? and at_ms < ? group by kind`,
    parameters: [accountId, fromMs, toMs],
  };
}

export function sumsOfHolds(accountId: string): Statement {
  return {
    sql: "select count(*) as count, sum(micros) as micros from hold where account_id = ?",
    parameters: [accountId],
  };
}
