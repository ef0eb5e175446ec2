// Announcements for people who are not signed in.
import type { NotingNeeds } from "../audit/entry.ts";
import type { AnnouncementView } from "./contract.ts";
import { toView } from "./fields.ts";
import { listAnnouncements } from "./queries.ts";

const shownMax = 20;

/** Those that are current, and that say they are for visitors. */
export async function listOpenAnnouncements({
  database,
  clock,
}: Pick<NotingNeeds, "database" | "clock">): Promise<AnnouncementView[]> {
  const wanted = { atMs: clock.nowMs(), forVisitors: true };
  const { items } = await listAnnouncements(database, wanted, { offset: 0, limit: shownMax });
  return items.map(toView);
}
