// Chooses the channel for the next attempt: highest priority first; among equals those that the
// caller favours, and of these the one where the conversation is (`place.ts`), or of a request that
// stands alone the less loaded of two drawn by weight. A channel is never chosen twice for one
// request.
import type { AccountId } from "../core/ids.ts";
import type { Random } from "../core/random.ts";
import type { ConversationPin, PlacedBy } from "./affinity.ts";
import type { Channel, ChannelKey } from "./channel.ts";
import { placeConversation } from "./place.ts";

export interface Choice {
  channel: Channel;
  key: ChannelKey;
  /** Absent where the request is of no conversation. */
  by?: PlacedBy;
}

/** A handful at most. */
export interface Tried {
  channels: Channel[];
  keys: ChannelKey[];
}

interface ChooseNeeds {
  /** Names of the model that is asked for. */
  names: readonly string[];
  /** Sorted by priority, highest first. */
  candidates: readonly Channel[];
  tried: Tried;
  /** The account that asks: a channel may be out for it alone. */
  accountId: AccountId;
  nowMs: number;
  random: Random;
  /** Among channels of one priority those that it names come first. */
  favours?: (channel: Channel) => boolean;
  /** Those of a tier that its group or name prefers; absent where weights alone decide. */
  prefer?: ((tier: readonly Channel[]) => readonly Channel[]) | undefined;
  /** False where another model may serve instead of what is ejected or busy. */
  isLastWay?: boolean;
  /** The conversation of the request; null or absent where it stands alone. */
  conversation?: ConversationPin | null;
}

/** Null when every candidate has been tried; `busy` when what is left is merely that. */
export function choose(needs: ChooseNeeds): Choice | "busy" | null {
  const { candidates, tried, nowMs, favours, accountId, isLastWay = true } = needs;
  const free: Channel[] = [];
  for (const channel of candidates) {
    if (channel.health.isOut(nowMs, accountId) || !isUsable(channel, needs)) continue;
    free.push(channel);
  }
  if (free.length === 0) {
    return isLastWay && tried.channels.length === 0 ? chooseEjected(needs) : null;
  }
  const tier = free.length === 1 ? free : topTier(free, favours);
  return pick(needs.prefer?.(tier) ?? tier, needs);
}

/** The last way is never closed: with nothing tried yet, an ejected channel is better than none. */
function chooseEjected(needs: ChooseNeeds): Choice | "busy" | null {
  const { candidates } = needs;
  const [soonest] = candidates
    .filter((channel) => isUsable(channel, needs))
    .toSorted((a, b) => a.health.ejectedUntilMs - b.health.ejectedUntilMs);
  if (soonest) return pick([soonest], needs);
  return candidates.some(isBusy(needs)) ? "busy" : null;
}

function isUsable(channel: Channel, needs: ChooseNeeds): boolean {
  if (channel.isFull(needs.nowMs) || needs.tried.channels.includes(channel)) return false;
  return channel.hasKey(needs);
}

function isBusy({ names, nowMs }: ChooseNeeds): (channel: Channel) => boolean {
  return (channel) =>
    channel.spentUntilMs(nowMs) < Infinity &&
    (channel.isFull(nowMs) ||
      channel.settings.keys.some(
        (key) => key.isEnabled && channel.keyBackAtMs(key, names, nowMs) > nowMs,
      ));
}

function topTier(
  channels: readonly Channel[],
  favours: ChooseNeeds["favours"],
): readonly Channel[] {
  const priority = channels[0]?.settings.priority;
  const tier = channels.filter((channel) => channel.settings.priority === priority);
  const favoured = favours ? tier.filter(favours) : tier;
  return favoured.length > 0 ? favoured : tier;
}

function pick(tier: readonly Channel[], needs: ChooseNeeds): Choice | null {
  const { random, conversation } = needs;
  if (conversation) return pickFor(conversation, tier, needs);
  const first = draw(tier, random);
  const second = tier.length > 1 ? draw(tier, random) : first;
  const channel = load(second) < load(first) ? second : first;
  const key = channel?.nextKey(needs);
  return channel && key ? { channel, key } : null;
}

function pickFor(
  conversation: ConversationPin,
  tier: readonly Channel[],
  needs: ChooseNeeds,
): Choice | null {
  const placed = placeConversation({ ...needs, conversation, tier });
  const key = placed && (placed.key ?? placed.channel.nextKey(needs));
  return key && { channel: placed.channel, key, by: placed.by };
}

function draw(tier: readonly Channel[], random: Random): Channel | undefined {
  if (tier.length === 1) return tier[0];
  const total = tier.reduce((sum, channel) => sum + channel.settings.weight, 0);
  let at = random.unit() * total;
  for (const channel of tier) {
    at -= channel.settings.weight;
    if (at < 0) return channel;
  }
  return tier.at(-1);
}

function load(channel: Channel | undefined): number {
  return channel ? channel.inFlight / channel.settings.weight : Number.POSITIVE_INFINITY;
}
