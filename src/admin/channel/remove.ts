import { deleteChannel, findChannel } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import { inTurn } from "../in-turn.ts";
import { found, readChannelId } from "../input.ts";
import { reloadChannels, type ControlParts } from "../parts.ts";

export async function removeChannel(
  parts: ControlParts,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  return await inTurn(parts, "channels", async () => {
    const row = found(await findChannel(parts.database, readChannelId(id)));
    const note = { action: "channel.remove", target: row.id, changes: { name: row.name } } as const;
    const { store, database } = noting(parts, operator, note);
    await deleteChannel(store, database, row.id);
    await reloadChannels(parts);
    return { id: row.id };
  });
}
