import { expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import { systemClock } from "../core/clock.ts";
import { Affinity } from "./affinity.ts";
import type { Channel } from "./channel.ts";
import { plainChannel } from "./fixtures/plain-channel.ts";
import { placeConversation, type Placement } from "./place.ts";

function channelOf(name: string, weight: number, keyCount: number, priority = 0): Channel {
  return plainChannel(name, { weight, keyCount, priority });
}

const newAffinity = () => new Affinity({ clock: systemClock, isOn: true });

function placed(affinity: Affinity, digest: string, tier: readonly Channel[]): Placement {
  const conversation = affinity.conversation(digest);
  const accountId = "acc" as AccountId;
  const facts = { conversation, tier, candidates: tier, nowMs: 0, accountId };
  const placement = placeConversation({ ...facts, names: ["model"], tried: { keys: [] } });
  if (!placement) throw new Error("nowhere");
  return placement;
}

const conversations = 30_000;

/** The count of conversations that each channel and each key gets. */
function shares(tier: readonly Channel[]): Map<string, number> {
  const affinity = newAffinity();
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (let at = 0; at < conversations; at++) {
    const { channel, key } = placed(affinity, `conversation ${at}`, tier);
    add(channel.settings.name);
    add(key?.text ?? "");
  }
  return counts;
}

test("channels have their shares by weight, however many keys each has", () => {
  const counts = shares([channelOf("a", 1, 5), channelOf("b", 2, 1), channelOf("c", 3, 2)]);
  const share = (name: string) => (counts.get(name) ?? 0) / conversations;
  for (const [name, wanted] of Object.entries({ a: 1 / 6, b: 2 / 6, c: 3 / 6 })) {
    expect(Math.abs(share(name) - wanted)).toBeLessThan(0.015);
  }
  for (let at = 0; at < 5; at++) expect(Math.abs(share(`a ${at}`) - 1 / 30)).toBeLessThan(0.01);
});

test("nodes that share nothing place every conversation alike", () => {
  const tier = () => [channelOf("a", 1, 3), channelOf("b", 1, 3)];
  const [one, other] = [tier(), tier()];
  for (let at = 0; at < 1000; at++) {
    const [here, there] = [one, other].map((own) => placed(newAffinity(), `c ${at}`, own));
    expect(here?.key?.text).toBe(there?.key?.text ?? "");
  }
});

test("of a channel that is gone only its own conversations move, and all come back", () => {
  const [a, b, c] = [channelOf("a", 1, 1), channelOf("b", 1, 1), channelOf("c", 1, 1)];
  const nameOf = (digest: string, tier: readonly Channel[]) =>
    placed(newAffinity(), digest, tier).channel.settings.name;
  for (let at = 0; at < 1000; at++) {
    const digest = `conversation ${at}`;
    const before = nameOf(digest, [a, b, c]);
    const without = nameOf(digest, [a, c]);
    if (before !== "b") expect(without).toBe(before);
    expect(nameOf(digest, [a, b, c])).toBe(before);
  }
});

test("one conversation does not bury a channel or a key", () => {
  const affinity = newAffinity();
  const tier = [channelOf("a", 1, 3), channelOf("b", 1, 3)];
  const used = new Map<string, number>();
  for (let at = 0; at < 200; at++) {
    const { channel, key } = placed(affinity, "hot", tier);
    if (!key) throw new Error("a key is chosen");
    channel.occupy(key);
    affinity.conversation("hot").served({ channel, key });
    used.set(key.text, (used.get(key.text) ?? 0) + 1);
  }
  expect(used.size).toBeGreaterThan(3);
  // One and a half times its share, and the slack.
  for (const { inFlight } of tier) expect(inFlight).toBeLessThanOrEqual(1.5 * 100 + 9);
  for (const count of used.values()) expect(count).toBeLessThanOrEqual(1.5 * 50 + 9);
});

test("what an agent has under way with those it sent out stays together", () => {
  const affinity = newAffinity();
  const tier = [channelOf("a", 1, 3), channelOf("b", 1, 3)];
  const keys = new Set<string>();
  for (let at = 0; at < 8; at++) {
    const { channel, key } = placed(affinity, "agent", tier);
    if (!key) throw new Error("a key is chosen");
    channel.occupy(key);
    keys.add(key.text);
  }
  expect(keys.size).toBe(1);
});

test("a key whose minute is used up is full for now, and not given up", () => {
  const affinity = newAffinity();
  const keyRates = { requestsPerMinute: 1, tokensPerMinute: null };
  const channel = plainChannel("a", { keyCount: 2, keyRates });
  const { key: first } = placed(affinity, "c", [channel]);
  if (!first) throw new Error("it has keys");
  affinity.conversation("c").served({ channel, key: first });
  channel.take(first, 0, 0);
  const { key: second, by } = placed(affinity, "c", [channel]);
  expect(second).not.toBe(first);
  expect(by).toBe("moved: full");
});

test("no more is remembered than 50,000 conversations, the latest of them", () => {
  const affinity = newAffinity();
  const channel = channelOf("a", 1, 2);
  const [key] = channel.settings.keys;
  if (!key) throw new Error("it has keys");
  for (let at = 0; at < 50_001; at++) affinity.conversation(`c ${at}`).served({ channel, key });
  expect(affinity.conversation("c 0").pin).toBeNull();
  expect(affinity.conversation("c 1").pin).not.toBeNull();
});
