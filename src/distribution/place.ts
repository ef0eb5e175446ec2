// Places a request of a conversation among channels that would all do: where it was served last,
// else by rendezvous hashing, with bounded loads. First the channel, by its weight, then its key,
// so that a channel has its share however many keys it has.
import type { AccountId } from "../core/ids.ts";
import type { ConversationPin, MoveReason, Pin, PlacedBy } from "./affinity.ts";
import type { Channel, ChannelKey, KeyAsk } from "./channel.ts";
import { scoreOf, seedOf } from "./rendezvous.ts";

export interface Placement {
  channel: Channel;
  /** Null where its keys take turns. */
  key: ChannelKey | null;
  by: PlacedBy;
}

interface PlaceNeeds extends KeyAsk {
  conversation: ConversationPin;
  /** Those of the best priority that may be used now. */
  tier: readonly Channel[];
  /** All that could serve, whether or not they may be used now. */
  candidates: readonly Channel[];
  /** Null where it could be anybody's. */
  accountId: AccountId | null;
}

/** Past so many times its share of what is under way, and some more, a place is passed over. */
const loadFactor = 1.5;
/** Requests one agent may have under way at once with those that it sent out. */
const loadSlack = 8;

/** Null where no channel of the tier has a key. */
export function placeConversation(needs: PlaceNeeds): Placement | null {
  const { conversation } = needs;
  const { pin } = conversation;
  const pinned = pin && !pin.failed ? stillThere(needs, pin) : null;
  if (pinned) return { ...pinned, by: "pinned" };
  const channel = rankedChannel(needs, pin);
  if (!channel) return null;
  const key = channel.settings.affinity
    ? rankedKey(conversation, channel.usableKeys(needs), pin)
    : null;
  const isElsewhere = pin && (pin.channelId !== channel.settings.id || pin.keyText !== key?.text);
  return { channel, key, by: isElsewhere ? `moved: ${whyMoved(needs, pin)}` : "ranked" };
}

function stillThere(
  needs: PlaceNeeds,
  { channelId, keyText }: Pin,
): { channel: Channel; key: ChannelKey } | null {
  const { tier } = needs;
  const channel = tier.find(({ settings }) => settings.id === channelId);
  if (!channel?.settings.affinity || isCrowded(channel, tier)) return null;
  const keys = channel.usableKeys(needs);
  const key = keys.find(({ text }) => text === keyText);
  return key && !isKeyCrowded(key, keys) ? { channel, key } : null;
}

/** One that failed this conversation last comes after all others. */
function rankedChannel({ conversation, tier }: PlaceNeeds, pin: Pin | null): Channel | null {
  if (tier.length === 1) return tier[0] ?? null;
  const failed = pin?.failed === "channel" ? pin.channelId : null;
  let [best, bestScore]: [Channel | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const channel of tier) {
    const { id, weight } = channel.settings;
    if (id === failed || isCrowded(channel, tier)) continue;
    const score = scoreOf(conversation.seed, seedOf(id), weight);
    if (score > bestScore) [best, bestScore] = [channel, score];
  }
  return best ?? tier.find(({ settings }) => settings.id !== failed) ?? tier[0] ?? null;
}

function rankedKey(
  { seed }: ConversationPin,
  keys: readonly ChannelKey[],
  pin: Pin | null,
): ChannelKey | null {
  if (keys.length === 1) return keys[0] ?? null;
  const failed = pin?.failed === "key" ? pin.keyText : null;
  let [best, bestScore]: [ChannelKey | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const key of keys) {
    if (key.text === failed || isKeyCrowded(key, keys)) continue;
    const score = scoreOf(seed, seedOf(key.text), 1);
    if (score > bestScore) [best, bestScore] = [key, score];
  }
  return best ?? keys.find(({ text }) => text !== failed) ?? null;
}

/** Never all of them at once: one that has no more than its share is not. */
function isCrowded({ inFlight, settings: { weight } }: Channel, tier: readonly Channel[]): boolean {
  if (inFlight <= loadSlack || tier.length === 1) return false;
  let [running, weights] = [0, 0];
  for (const channel of tier) {
    running += channel.inFlight;
    weights += channel.settings.weight;
  }
  return inFlight > loadFactor * ((running * weight) / weights) + loadSlack;
}

function isKeyCrowded({ load }: ChannelKey, keys: readonly ChannelKey[]): boolean {
  if (!load || load.inFlight <= loadSlack || keys.length === 1) return false;
  const running = keys.reduce((sum, key) => sum + (key.load?.inFlight ?? 0), 0);
  return load.inFlight > loadFactor * (running / keys.length) + loadSlack;
}

function whyMoved(needs: PlaceNeeds, pin: Pin): MoveReason {
  const { tier, candidates, names, nowMs, accountId } = needs;
  const channel = candidates.find(({ settings }) => settings.id === pin.channelId);
  const key = channel?.settings.keys.find(({ text }) => text === pin.keyText);
  if (!channel?.settings.affinity || !key?.isEnabled) return "disabled";
  if (channel.restsUntilMs(key, names) > nowMs) return "rests";
  if (pin.failed || channel.health.isOut(nowMs, accountId)) return "failed";
  return channel.isFull(nowMs) || tier.includes(channel) ? "full" : "tier";
}
