// The channel that an admin wants its request to go to.
import type { ChannelId } from "../core/ids.ts";
import { pinHeader } from "../gateway/candidates.ts";
import type { Caller } from "../identity/caller.ts";

export function withPin(caller: Caller, headers: Headers): Caller {
  const pinned = headers.get(pinHeader);
  return pinned === null ? caller : { ...caller, pinned: pinned as ChannelId };
}
