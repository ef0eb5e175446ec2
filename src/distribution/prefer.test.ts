import { expect, test } from "bun:test";
import type { Channel } from "./channel.ts";
import { cheapest, fastest } from "./prefer.ts";
import { Speeds } from "./speeds.ts";

function channelOf(name: string, ...firstByteMs: number[]): Channel {
  const speeds = new Speeds();
  for (const ms of firstByteMs) speeds.note("m", ms);
  return { speeds, settings: { name } } as unknown as Channel;
}

const namesOf = (tier: readonly Channel[]) => tier.map(({ settings }) => settings.name);

test("the cheapest are those of the least cost, all of them", () => {
  const tier = ["a", "b", "c"].map((name) => channelOf(name));
  const costs = new Map([
    ["a", 3],
    ["b", 2],
    ["c", 2],
  ]);
  const costOf = ({ settings }: Channel) => costs.get(settings.name) ?? 0;
  expect(namesOf(cheapest(tier, costOf))).toEqual(["b", "c"]);
});

test("speed breaks ties only past twice the fastest", () => {
  const tier = [channelOf("a", 100), channelOf("b", 199), channelOf("c", 201)];
  expect(namesOf(fastest(tier, "m"))).toEqual(["a", "b"]);
});

test("a channel that was never seen is tried", () => {
  expect(namesOf(fastest([channelOf("a", 100), channelOf("new")], "m"))).toEqual(["a", "new"]);
  expect(namesOf(fastest([channelOf("x"), channelOf("y")], "m"))).toEqual(["x", "y"]);
});

test("a mean moves with what is seen, and one slow answer does not turn it", () => {
  const { speeds } = channelOf("a", 100, 100, 500);
  expect(speeds.meanMs("m")).toBe(140);
  expect(speeds.meanMs("other")).toBeNull();
});
