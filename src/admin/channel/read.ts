// Shows one channel, also one of the sandbox's: whatever is listed can be opened.
import { findChannel, readKeysOf } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ChannelView } from "./contract.ts";
import { existing, readChannelId } from "../input.ts";
import type { ChannelNeeds } from "./needs.ts";
import { sandboxChannels, toSandboxView, toView } from "./view.ts";

export async function readChannel(
  needs: ChannelNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<ChannelView> {
  const sandbox = sandboxChannels(needs).find(({ settings }) => settings.id === id);
  if (sandbox) return toSandboxView(needs, sandbox);
  const row = existing(await findChannel(needs.database, readChannelId(id)));
  return toView(needs, row, await readKeysOf(needs.database, row.id));
}
