// The moment when the first of some channels could be given a request, where time alone brings it.
import type { AccountId } from "../core/ids.ts";
import type { Channel } from "./channel.ts";
import type { Tried } from "./choose.ts";

interface SoonestNeeds {
  /** Names of the model that is asked for. */
  names: readonly string[];
  channels: readonly Channel[];
  tried: Tried;
  accountId: AccountId;
  nowMs: number;
}

/**
 * The soonest time by the monotonic clock, and to come; null where no time by itself brings one
 * back.
 */
export function soonestOf(needs: SoonestNeeds): number | null {
  const { channels, tried, accountId, nowMs } = needs;
  let soonestMs: number | null = null;
  for (const channel of channels) {
    if (tried.channels.includes(channel) || channel.health.isOut(nowMs, accountId)) continue;
    if (channel.isSaturated) continue;
    const keyMs = keyBackAt(channel, needs);
    if (keyMs === null) continue;
    const backMs = Math.max(keyMs, channel.fullUntilMs(nowMs));
    if (backMs <= nowMs || backMs === Infinity) continue;
    if (soonestMs === null || backMs < soonestMs) soonestMs = backMs;
  }
  return soonestMs;
}

function keyBackAt(channel: Channel, { names, tried, nowMs }: SoonestNeeds): number | null {
  let soonestMs: number | null = null;
  for (const key of channel.settings.keys) {
    if (!key.isEnabled || tried.keys.includes(key)) continue;
    const backMs = channel.keyBackAtMs(key, names, nowMs);
    if (soonestMs === null || backMs < soonestMs) soonestMs = backMs;
  }
  return soonestMs;
}
