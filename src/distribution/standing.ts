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

interface Standpoint {
  nowMs: number;
  /** Null where it could be anybody. */
  accountId?: AccountId | null;
  /** Those of one model; absent where it could be any of the channel's. */
  names?: readonly string[];
}

/** Without a key a channel is as good as disabled. */
export function standingOf(
  channel: Channel,
  { nowMs, accountId = null, names }: Standpoint,
): ChannelStanding {
  const { health, settings } = channel;
  if (health.isOut(nowMs, accountId)) return { state: "ejected", untilMs: health.ejectedUntilMs };
  if (channel.isSaturated) return { state: "saturated", untilMs: null };
  const spentUntilMs = channel.spentUntilMs(nowMs);
  if (spentUntilMs > nowMs) {
    return { state: "spent", untilMs: Number.isFinite(spentUntilMs) ? spentUntilMs : null };
  }
  const fullUntilMs = channel.fullUntilMs(nowMs);
  if (fullUntilMs > nowMs) return { state: "saturated", untilMs: fullUntilMs };
  const keys = settings.keys.filter(({ isEnabled }) => isEnabled);
  if (keys.length === 0) return { state: "disabled", untilMs: null };
  const models = names ? [names] : settings.models.map((model) => [model]);
  const rests = keys.flatMap((key) => models.map((one) => channel.restsUntilMs(key, one)));
  const soonestMs = Math.min(...rests);
  if (soonestMs > nowMs) return { state: "resting", untilMs: soonestMs };
  const backs = keys.flatMap((key) => models.map((one) => channel.keyBackAtMs(key, one, nowMs)));
  const backMs = Math.min(...backs);
  return backMs > nowMs ? { state: "saturated", untilMs: backMs } : open;
}
