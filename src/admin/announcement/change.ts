// Changes some fields of an announcement; what it becomes is judged as a whole.
import { withoutNulls, type JsonObject } from "../../core/json.ts";
import { compile, parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { changesOf } from "../audit/changes.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, mergePatch, readId, type InputFields } from "../input.ts";
import { AnnouncementInput, type AnnouncementCalls, type AnnouncementView } from "./contract.ts";
import { idPrefix, toFields, toView } from "./fields.ts";
import { findAnnouncement, updateAnnouncement, type AnnouncementRow } from "./queries.ts";

const announcementChecker = compile(AnnouncementInput);

/** Some fields; null takes a time out. */
export async function changeAnnouncement(
  needs: NotingNeeds,
  operator: Operator,
  { id, body }: InputOf<AnnouncementCalls["change"]>,
): Promise<AnnouncementView> {
  return await exclusively(needs, "announcements", async () => {
    const before = existing(await findAnnouncement(needs.database, readId(id, idPrefix)));
    const current = toInput(before);
    const input = parseWith(announcementChecker, mergePatch(current, body));
    const row = { ...before, ...toFields(input), updated_at_ms: needs.clock.nowMs() };
    const changes = changesOf(current, toInput(row));
    const note = { action: "announcement.change", target: row.id, changes } as const;
    await updateAnnouncement(noting(needs, operator, note).database, row);
    return toView(row);
  });
}

function toInput(row: AnnouncementRow): JsonObject {
  const { title, text, level, for_visitors, starts_at, ends_at } = toView(row);
  return withoutNulls({
    title,
    text,
    level,
    for_visitors,
    starts_at,
    ends_at,
  } satisfies InputFields<AnnouncementInput>);
}
