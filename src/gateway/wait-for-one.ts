// The wait of a request whose remaining channels are all busy: for the first of them that is back
// in a moment, or else the client is told when to come again.
import { GatewayError } from "../core/errors.ts";
import type { AccountId } from "../core/ids.ts";
import type { Channel } from "../distribution/channel.ts";
import type { Tried } from "../distribution/choose.ts";
import { soonestOf } from "../distribution/soonest.ts";
import type { Waiting, WaitLine } from "./wait-line.ts";

interface Among {
  names: readonly string[];
  channels: readonly Channel[];
  accountId: AccountId;
}

/**
 * True where it is worth choosing again; throws the 429 of what is busy for longer. The moment is
 * that of the choice: by a later one a channel may be back already, and would not be waited for.
 */
export async function waitForOne(
  { line }: { line?: WaitLine },
  { at: { names, channels, accountId }, tried }: { at: Among; tried: Tried },
  request: Waiting,
  { left, nowMs }: { left: "busy" | null; nowMs: number },
): Promise<boolean> {
  const backMs = soonestOf({ names, channels, tried, accountId, nowMs });
  if (await line?.wait(request, accountId, backMs)) return true;
  if (left === null) return false;
  const retryAfterSeconds = Math.max(1, Math.ceil(((backMs ?? nowMs) - nowMs) / 1000));
  throw new GatewayError("too_many_requests", { retryAfterSeconds });
}
