// Changes some fields of a channel.
import { findChannel } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readChannelId } from "../input.ts";
import type { ChannelCalls, ChannelView } from "./contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { commitChannels, planChange } from "./plan.ts";

export async function changeChannel(
  needs: ChannelNeeds,
  operator: Operator,
  { id, body }: InputOf<ChannelCalls["change"]>,
): Promise<ChannelView> {
  return await exclusively(needs, "channels", async () => {
    const before = existing(await findChannel(needs.database, readChannelId(id)));
    const write = planChange({ ...needs, operator }, before, body);
    const [view] = await commitChannels(needs, operator, [write]);
    return existing(view);
  });
}
