// Makes a channel. Its keys are sealed before they reach the disk.
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import type { ChannelCalls, ChannelView } from "./contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { commitChannels, planNew } from "./plan.ts";
import { authorOf } from "./reach.ts";

export async function createChannel(
  needs: ChannelNeeds,
  operator: Operator,
  { body }: InputOf<ChannelCalls["create"]>,
): Promise<ChannelView> {
  const write = planNew(needs, authorOf(operator), body);
  return await exclusively(needs, "channels", async () => {
    const [view] = await commitChannels(needs, operator, [write]);
    return existing(view);
  });
}
