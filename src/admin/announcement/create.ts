// Announces something, from now on or for a time.
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { brief } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { AnnouncementView } from "../contract.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import { announcementChecker, idPrefix, toFields, toView } from "./fields.ts";
import { insertAnnouncement } from "./queries.ts";

export async function createAnnouncement(
  needs: NotingNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<AnnouncementView> {
  const input = parseWith(announcementChecker, body);
  const nowMs = needs.clock.nowMs();
  const row = {
    id: needs.ids.of(idPrefix),
    ...toFields(input),
    created_by: operator.accountId,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  };
  const note = { action: "announcement.create", target: row.id, changes: brief(input) } as const;
  await insertAnnouncement(noting(needs, operator, note).database, row);
  return toView(row);
}
