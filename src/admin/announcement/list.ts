// Lists what is announced.
import type { Operator } from "../../identity/caller.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { pageOf, toListed } from "../page.ts";
import { toOrder } from "../search.ts";
import type { AnnouncementCalls, AnnouncementView } from "./contract.ts";
import { toView } from "./fields.ts";
import { listAnnouncements } from "./queries.ts";

/** Those that are current; with `all=true` an admin also sees what is over or to come. */
export async function listAnnouncementViews(
  { database, clock }: NotingNeeds,
  operator: Operator,
  { query }: InputOf<AnnouncementCalls["list"]>,
): Promise<Listed<AnnouncementView>> {
  const { all, q: prefix, sort } = query;
  const page = pageOf(query);
  const isAll = operator.may.has("settings.read") && all;
  const filter = {
    atMs: isAll ? null : clock.nowMs(),
    ...(prefix && { prefix }),
    ...(sort && { order: toOrder(sort) }),
  };
  const { items, total } = await listAnnouncements(database, filter, page);
  return toListed(page, items.map(toView), total);
}
