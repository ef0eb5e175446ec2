// Deletes a channel; requests that run on it end on it.
import { deleteChannel, findChannel } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readChannelId } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";

export async function removeChannel(
  needs: ChannelNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  return await exclusively(needs, "channels", async () => {
    const row = existing(await findChannel(needs.database, readChannelId(id)));
    const note = { action: "channel.remove", target: row.id, changes: { name: row.name } } as const;
    const { store, database } = noting(needs, operator, note);
    await deleteChannel(store, database, row.id);
    await needs.reload.channels();
    return { id: row.id };
  });
}
