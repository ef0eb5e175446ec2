// Announcements in the database.
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
}

/** Newest first. */
export async function listAnnouncements(
  database: Database,
  { atMs, forVisitors = false }: AnnouncementFilter,
  page: Page,
): Promise<PageOfRows<AnnouncementRow>> {
  let matching = database.selectFrom("announcement");
  if (forVisitors) matching = matching.where("for_visitors", "=", 1);
  if (atMs !== null) {
    matching = matching
      .where((row) => row.or([row("starts_at_ms", "is", null), row("starts_at_ms", "<=", atMs)]))
      .where((row) => row.or([row("ends_at_ms", "is", null), row("ends_at_ms", ">", atMs)]));
  }
  return await selectPage(matching.selectAll().orderBy("id", "desc"), matching, page);
}
