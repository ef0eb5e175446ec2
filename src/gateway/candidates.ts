// The channels that a caller's requests may go to. An admin may name one of them, to try it out or
// to practise beside the real ones.
import { GatewayError } from "../core/errors.ts";
import type { Channel } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import type { Caller } from "../identity/caller.ts";

export const pinHeader = "x-sluice-channel";

type PinnedCaller = Pick<Caller, "group" | "isRoot" | "pinned">;

/** Highest priority first. The one that is named has to serve the model by the name it is asked. */
export function channelsFor(
  channels: Channels,
  { group, isRoot, pinned }: PinnedCaller,
  model: string,
): readonly Channel[] {
  if (pinned === undefined) return channels.candidates(model, group, isRoot);
  const channel = channels.find(pinned);
  return channel?.settings.models.includes(model) ? [channel] : [];
}

/** Null where none is named. */
export function unknownPin({ pinned }: PinnedCaller, model: string): GatewayError | null {
  if (pinned === undefined) return null;
  const message = `The channel that ${pinHeader} names is not there or does not serve ${model}.`;
  return new GatewayError("model_not_found", { param: pinHeader, message });
}
