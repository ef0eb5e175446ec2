// The choice of a group or a virtual model among channels of one priority, beside their weights:
// the cheapest, or those that are not slow. What may serve is decided before; weight and load
// decide among the rest.
import type { Channel } from "./channel.ts";

/** Slower by more than this a channel is left for the others. */
const slowTimes = 2;
export function cheapest(
  tier: readonly Channel[],
  costOf: (channel: Channel) => number,
): readonly Channel[] {
  if (tier.length < 2) return tier;
  const costs = tier.map(costOf);
  const least = Math.min(...costs);
  return tier.filter((_, at) => costs[at] === least);
}

/** One that was never seen is among them, so that it is. */
export function fastest(tier: readonly Channel[], model: string): readonly Channel[] {
  if (tier.length < 2) return tier;
  const means = tier.map(({ speeds }) => speeds.meanMs(model));
  const least = Math.min(...means.map((mean) => mean ?? Number.POSITIVE_INFINITY));
  return tier.filter((_, at) => (means[at] ?? 0) <= least * slowTimes);
}
