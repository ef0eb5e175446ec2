// Lists what needed a person, and whom that was told.
import type { NoticeKind } from "../../config/notices.ts";
import type { Operator } from "../../identity/caller.ts";
import { listNotices } from "../../notices/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { pageOf, toListed } from "../page.ts";
import type { NoticeCalls, NoticeView } from "./contract.ts";
import type { NoticeNeeds } from "./needs.ts";

/** The newest first. */
export async function listNoticeViews(
  { noting: { database } }: NoticeNeeds,
  _operator: Operator,
  { query }: InputOf<NoticeCalls["list"]>,
): Promise<Listed<NoticeView>> {
  const page = pageOf(query);
  const { items, total } = await listNotices(database, page);
  return toListed(page, items.map(toView), total);
}

type NoticeRow = Awaited<ReturnType<typeof listNotices>>["items"][number];

function toView(row: NoticeRow): NoticeView {
  return {
    id: row.id,
    kind: row.kind as NoticeKind,
    text: row.text,
    details: JSON.parse(row.details),
    at: toSeconds(row.at_ms),
    ended_at: toSecondsOrNull(row.ended_at_ms),
    deliveries: row.deliveries.map((one) => ({
      destination: one.destination,
      attempts: one.attempts,
      delivered_at: toSecondsOrNull(one.delivered_at_ms),
      next_attempt_at: toSecondsOrNull(one.next_attempt_at_ms),
      error: one.error,
    })),
  };
}
