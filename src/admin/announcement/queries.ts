// Announcements in the database.
import { sql, type RawBuilder } from "kysely";
import { beginsWith } from "../../store/begins-with.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type { AnnouncementTable } from "../../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import type { Store } from "../../store/store.ts";

export type AnnouncementRow = AnnouncementTable;

export async function insertAnnouncement(database: Database, row: AnnouncementRow): Promise<void> {
  await insertOfAnnouncement(database, row).execute();
}

export function insertOfAnnouncement(database: Database, row: AnnouncementRow) {
  return database.insertInto("announcement").values(row);
}

export async function findAnnouncement(
  database: Database,
  id: string,
): Promise<AnnouncementRow | null> {
  const row = await database
    .selectFrom("announcement")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function updateAnnouncement(database: Database, row: AnnouncementRow): Promise<void> {
  const { id, ...changes } = row;
  await database.updateTable("announcement").set(changes).where("id", "=", id).execute();
}

/** A conflict when it is not there. */
export async function deleteAnnouncement(
  store: Store,
  database: Database,
  id: string,
): Promise<void> {
  const query = database.deleteFrom("announcement").where("id", "=", id);
  await commitTogether(store, [{ query, changes: 1 }]);
}

interface AnnouncementFilter {
  /** Those of that moment; null: of all times. */
  atMs: number | null;
  forVisitors?: boolean;
  /** Beginning of its title, in any capitals. */
  prefix?: string;
  order?: { field: keyof typeof orders; isDown: boolean };
}

/** Rows without a beginning or an end come before all that have one, on either engine. */
const orders = {
  title: sql.raw("lower(title)"),
  starts_at: sql.raw("coalesce(starts_at_ms, 0)"),
  ends_at: sql.raw("coalesce(ends_at_ms, 0)"),
  created_at: sql.raw("created_at_ms"),
} satisfies Record<string, RawBuilder<unknown>>;

/** Newest first, unless another order is asked for; equals by their ids. */
export async function listAnnouncements(
  database: Database,
  { atMs, forVisitors = false, prefix, order }: AnnouncementFilter,
  page: Page,
): Promise<PageOfRows<AnnouncementRow>> {
  let matching = database.selectFrom("announcement");
  if (forVisitors) matching = matching.where("for_visitors", "=", 1);
  if (atMs !== null) {
    matching = matching
      .where((row) => row.or([row("starts_at_ms", "is", null), row("starts_at_ms", "<=", atMs)]))
      .where((row) => row.or([row("ends_at_ms", "is", null), row("ends_at_ms", ">", atMs)]));
  }
  if (prefix !== undefined) matching = matching.where(beginsWith("title", prefix));
  const { field, isDown } = order ?? { field: "created_at", isDown: true };
  const direction = isDown ? "desc" : "asc";
  const rows = matching.selectAll().orderBy(orders[field], direction).orderBy("id", direction);
  return await selectPage(rows, matching, page);
}
