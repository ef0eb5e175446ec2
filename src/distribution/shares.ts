// The work of `choose`, worked out instead of drawn: which channels are asked first, second and so
// on, and with what chance within their turn. Nothing is chosen and nothing changes.
import type { Channel } from "./channel.ts";

interface DrawnTier {
  /** Each with its chance, which add up to one. */
  channels: { channel: Channel; share: number }[];
}

interface Weighed {
  channel: Channel;
  weight: number;
}

interface TurnNeeds {
  /** Those that would get a request now, sorted by priority. */
  open: readonly Channel[];
  favours(channel: Channel): boolean;
  /** Weights to work out shares with, in place of the channels' own. */
  weights?: ReadonlyMap<string, number>;
}

/** One after the other, as long as each fails: of one priority those first that are favoured. */
export function turnsOf({ open, favours, weights = new Map() }: TurnNeeds): DrawnTier[] {
  const weighed = open.map((channel) => ({
    channel,
    weight: weights.get(channel.settings.id) ?? channel.settings.weight,
  }));
  const tiers = Map.groupBy(
    weighed,
    ({ channel }) => `${channel.settings.priority} ${favours(channel)}`,
  );
  return [...tiers.values()].toSorted(byOrder(favours)).map((tier) => ({ channels: draw(tier) }));
}

function byOrder(favours: TurnNeeds["favours"]) {
  return ([one]: Weighed[], [other]: Weighed[]) => {
    if (!one || !other) return 0;
    const byPriority = other.channel.settings.priority - one.channel.settings.priority;
    return byPriority || Number(favours(other.channel)) - Number(favours(one.channel));
  };
}

/** Two are drawn by weight, one of which may be the other, and the less loaded is taken. */
function draw(tier: readonly Weighed[]): DrawnTier["channels"] {
  const total = tier.reduce((sum, { weight }) => sum + weight, 0);
  const shares = new Map(tier.map(({ channel }) => [channel, 0]));
  for (const first of tier) {
    for (const second of tier) {
      const chance = (first.weight * second.weight) / (total * total);
      const { channel } = load(second) < load(first) ? second : first;
      shares.set(channel, (shares.get(channel) ?? 0) + chance);
    }
  }
  return Array.from(shares, ([channel, share]) => ({ channel, share })).toSorted(
    (one, other) => other.share - one.share,
  );
}

function load({ channel, weight }: Weighed): number {
  return channel.inFlight / weight;
}
