// Readiness of a channel for a request now, and the time until which it is not.
import type { AccountId } from "../core/ids.ts";
import type { channelStates } from "./channel-states.ts";
import type { Channel } from "./channel.ts";

interface ChannelStanding {
  state: (typeof channelStates)[number];
  /** Time by the monotonic clock; null where no time ends it. */
  untilMs: number | null;
}

const open: ChannelStanding = { state: "open", untilMs: null };

/** For this account, or where none is named for any. Without a key it is as good as disabled. */
export function standingOf(
  channel: Channel,
  nowMs: number,
  accountId: AccountId | null = null,
): ChannelStanding {
  const { health, settings } = channel;
  if (health.isOut(nowMs, accountId)) return { state: "ejected", untilMs: health.ejectedUntilMs };
  if (channel.isSaturated) return { state: "saturated", untilMs: null };
  const spentUntilMs = channel.spend?.spentUntilMs(nowMs) ?? 0;
  if (spentUntilMs > nowMs) return { state: "spent", untilMs: spentUntilMs };
  const fullUntilMs = channel.fullUntilMs(nowMs);
  if (fullUntilMs > nowMs) return { state: "saturated", untilMs: fullUntilMs };
  const rests = settings.keys.filter(({ isEnabled }) => isEnabled).map((key) => key.restsUntilMs);
  if (rests.length === 0) return { state: "disabled", untilMs: null };
  const soonestMs = Math.min(...rests);
  return soonestMs > nowMs ? { state: "resting", untilMs: soonestMs } : open;
}
