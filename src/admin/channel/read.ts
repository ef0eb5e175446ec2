// Shows one channel.
import { findChannel, readKeysOf } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ChannelView } from "./contract.ts";
import { existing, readChannelId } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { toView } from "./view.ts";

export async function readChannel(
  needs: ChannelNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<ChannelView> {
  const row = existing(await findChannel(needs.database, readChannelId(id)));
  return toView(needs, row, await readKeysOf(needs.database, row.id));
}
