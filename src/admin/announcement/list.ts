// Lists what is announced.
import type { Operator } from "../../identity/caller.ts";
import type { AnnouncementView, Listed } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import { readPrefix, readSort } from "../search.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import { toView } from "./fields.ts";
import { listAnnouncements } from "./queries.ts";

export const announcementSorts = ["created_at", "title", "starts_at", "ends_at"] as const;

/** Those that are current; with `all=true` an admin also sees what is over or to come. */
export async function listAnnouncementViews(
  { database, clock }: NotingNeeds,
  operator: Operator,
  query: URLSearchParams,
): Promise<Listed<AnnouncementView>> {
  const page = readPage(query);
  const isAll = operator.role !== "user" && query.get("all") === "true";
  const order = readSort(query, announcementSorts);
  const filter = {
    atMs: isAll ? null : clock.nowMs(),
    ...readPrefix(query),
    ...(order && { order }),
  };
  const { items, total } = await listAnnouncements(database, filter, page);
  return toListed(page, items.map(toView), total);
}
