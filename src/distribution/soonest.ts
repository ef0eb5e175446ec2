// The moment when the first of some channels could be given a request, where time alone brings it.
import type { AccountId } from "../core/ids.ts";
import type { Channel, ChannelKey } from "./channel.ts";
import type { Tried } from "./choose.ts";

interface SoonestNeeds {
  channels: readonly Channel[];
  tried: Tried;
  accountId: AccountId;
  nowMs: number;
}

/**
 * The soonest time by the monotonic clock, and to come; null where no time by itself brings one
 * back.
 */
export function soonestOf({ channels, tried, accountId, nowMs }: SoonestNeeds): number | null {
  let soonestMs: number | null = null;
  for (const channel of channels) {
    if (tried.channels.includes(channel) || channel.health.isOut(nowMs, accountId)) continue;
    if (channel.isSaturated) continue;
    const keyMs = keyBackAt(channel, tried.keys);
    if (keyMs === null) continue;
    const backMs = Math.max(keyMs, channel.fullUntilMs(nowMs));
    if (backMs <= nowMs) continue;
    if (soonestMs === null || backMs < soonestMs) soonestMs = backMs;
  }
  return soonestMs;
}

function keyBackAt({ settings }: Channel, tried: readonly ChannelKey[]): number | null {
  let soonestMs: number | null = null;
  for (const key of settings.keys) {
    if (!key.isEnabled || tried.includes(key)) continue;
    if (soonestMs === null || key.restsUntilMs < soonestMs) soonestMs = key.restsUntilMs;
  }
  return soonestMs;
}
