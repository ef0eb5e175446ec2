import { expect, test } from "bun:test";
import { plainChannel } from "./fixtures/plain-channel.ts";
import { KeyRests } from "./key-rests.ts";
import { standingOf } from "./standing.ts";

test("a key rests for the model that was busy, and the others go on", () => {
  const rests = new KeyRests();
  rests.rest("one", 100, 0);
  expect([rests.untilMs("one"), rests.untilMs("other")]).toEqual([100, 0]);
  expect(rests.at(99)).toEqual({ untilMs: 100, models: ["one"] });
  expect(rests.at(100)).toBeNull();
});

test("a rest of the account holds for every model, whatever else rests", () => {
  const rests = new KeyRests();
  rests.rest("one", 300, 0);
  rests.rest(null, 200, 0);
  expect([rests.untilMs("one"), rests.untilMs("other")]).toEqual([300, 200]);
  expect(rests.at(100)).toEqual({ untilMs: 200, models: null });
  expect(rests.at(250)).toEqual({ untilMs: 300, models: ["one"] });
});

test("the vendor's last word holds, and what is over is forgotten", () => {
  const rests = new KeyRests();
  rests.rest("one", 300, 0);
  rests.rest("one", 100, 0);
  expect(rests.untilMs("one")).toBe(100);
  rests.rest("other", 400, 150);
  expect(rests.untilMs("one")).toBe(0);
});

test("names that the vendor knows by one name rest together", () => {
  const channel = plainChannel("a", { weight: 1, keyCount: 1 });
  const modelMapping = { nick: "real", alias: "real" };
  channel.settings = { ...channel.settings, models: ["nick", "alias", "else"], modelMapping };
  const [key] = channel.settings.keys;
  if (!key) throw new Error("no key");
  key.rests = new KeyRests();
  key.rests.rest("real", 100, 0);
  const stateOf = (...names: string[]) => standingOf(channel, { nowMs: 0, names }).state;
  expect([stateOf("nick"), stateOf("alias"), stateOf("else")]).toEqual([
    "resting",
    "resting",
    "open",
  ]);
  expect(standingOf(channel, { nowMs: 0 })).toEqual({ state: "open", untilMs: null });
  key.rests.rest("else", 50, 0);
  expect(standingOf(channel, { nowMs: 0 })).toEqual({ state: "resting", untilMs: 50 });
});
