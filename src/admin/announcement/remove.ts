// Takes an announcement away.
import type { Operator } from "../../identity/caller.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { existing, orNotFound, readId } from "../input.ts";
import { idPrefix } from "./fields.ts";
import { deleteAnnouncement, findAnnouncement } from "./queries.ts";

export async function removeAnnouncement(
  needs: NotingNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  return await exclusively(needs, "announcements", async () => {
    const row = existing(await findAnnouncement(needs.database, readId(id, idPrefix)));
    const changes = { title: row.title };
    const note = { action: "announcement.remove", target: row.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await orNotFound(deleteAnnouncement(store, database, row.id));
    return { id: row.id };
  });
}
