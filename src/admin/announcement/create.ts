// Announces something, from now on or for a time.
import type { Operator } from "../../identity/caller.ts";
import { brief } from "../audit/changes.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { AnnouncementCalls, AnnouncementView } from "./contract.ts";
import { idPrefix, toFields, toView } from "./fields.ts";
import { insertAnnouncement } from "./queries.ts";

export async function createAnnouncement(
  needs: NotingNeeds,
  operator: Operator,
  { body }: InputOf<AnnouncementCalls["create"]>,
): Promise<AnnouncementView> {
  const nowMs = needs.clock.nowMs();
  const row = {
    id: needs.ids.of(idPrefix),
    ...toFields(body),
    created_by: operator.accountId,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  };
  const note = { action: "announcement.create", target: row.id, changes: brief(body) } as const;
  await insertAnnouncement(noting(needs, operator, note).database, row);
  return toView(row);
}
