// Announcements from elsewhere. They are plain text here, whatever they were read as there.
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith } from "../../core/schema.ts";
import { idPrefix } from "../announcement/fields.ts";
import { insertOfAnnouncement } from "../announcement/queries.ts";
import { ImportedAnnouncement } from "./contract.ts";
import type { ImportBy, ImportNeeds, ImportOutcome } from "./needs.ts";
import { writeRows } from "./rows.ts";

const announcementRowChecker = compile(ImportedAnnouncement);

export async function importAnnouncements(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const { outcomes } = await writeRows(needs, by, {
    kind: "announcements",
    rows,
    refField: "ref",
    make: async (notice) => {
      const { title, text, starts_at: startsAt } = parseWith(announcementRowChecker, notice);
      const nowMs = needs.clock.nowMs();
      const row = {
        id: needs.ids.of(idPrefix),
        title,
        text,
        level: "info" as const,
        for_visitors: 0 as const,
        starts_at_ms: startsAt === null ? null : startsAt * 1000,
        ends_at_ms: null,
        created_by: by.operator.accountId,
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      };
      return {
        id: row.id,
        queries: [insertOfAnnouncement(needs.database, row)],
        action: "announcement.create",
        changes: { title },
      };
    },
  });
  return outcomes;
}
