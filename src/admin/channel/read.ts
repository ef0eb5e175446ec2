import { findChannel, readKeysOf } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ChannelView } from "../contract.ts";
import { found, readChannelId } from "../input.ts";
import type { ControlParts } from "../parts.ts";
import { toView } from "./view.ts";

export async function readChannel(
  parts: ControlParts,
  _operator: Operator,
  { id }: { id: string },
): Promise<ChannelView> {
  const row = found(await findChannel(parts.database, readChannelId(id)));
  return toView(parts, row, await readKeysOf(parts.database, row.id));
}
