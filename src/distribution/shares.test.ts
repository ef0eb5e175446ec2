import { expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import { systemRandom } from "../core/random.ts";
import type { Channel } from "./channel.ts";
import { choose } from "./choose.ts";
import { plainChannel } from "./fixtures/plain-channel.ts";
import { turnsOf } from "./shares.ts";

function channelOf(name: string, priority: number, weight: number, inFlight = 0): Channel {
  const channel = plainChannel(name, { priority, weight });
  channel.inFlight = inFlight;
  return channel;
}

const draws = 20_000;

test("what is worked out is what is drawn, whatever the weights and loads are", () => {
  const open = [channelOf("a", 1, 3), channelOf("b", 1, 1, 2), channelOf("c", 1, 2, 1)];
  const counts = new Map<string, number>();
  for (let count = 0; count < draws; count++) {
    const choice = choose({
      names: ["model"],
      candidates: open,
      tried: { channels: [], keys: [] },
      accountId: "acc" as AccountId,
      nowMs: 0,
      random: systemRandom,
    });
    const name = choice && choice !== "busy" ? choice.channel.settings.name : "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [turn] = turnsOf({ open, favours: () => true });
  for (const { channel, share } of turn?.channels ?? []) {
    const drawn = (counts.get(channel.settings.name) ?? 0) / draws;
    // Six standard deviations.
    expect(Math.abs(drawn - share)).toBeLessThan(6 * Math.sqrt(0.25 / draws));
  }
});

test("turns go by priority, and of one priority by who is favoured; shares add up to one", () => {
  const open = [
    channelOf("a", 2, 1),
    channelOf("b", 1, 1),
    channelOf("c", 1, 4),
    channelOf("d", 1, 5),
  ];
  const turns = turnsOf({ open, favours: ({ settings }) => settings.name !== "c" });
  const names = turns.map(({ channels }) => channels.map(({ channel }) => channel.settings.name));
  expect(names).toEqual([["a"], ["d", "b"], ["c"]]);
  const sums = turns.map(({ channels }) => channels.reduce((sum, { share }) => sum + share, 0));
  for (const sum of sums) expect(sum).toBeCloseTo(1, 10);
});

test("a weight may be tried out without being set", () => {
  const open = [channelOf("a", 1, 1), channelOf("b", 1, 1)];
  const weights = new Map([["chn_a", 3]]);
  const [turn] = turnsOf({ open, favours: () => true, weights });
  expect(turn?.channels.map(({ share }) => share)).toEqual([0.75, 0.25]);
});
