import { expect, test } from "bun:test";
import { Losses } from "./losses.ts";

test("losses are summed by model and channel", () => {
  const losses = new Losses();
  const whereabouts = { channel: { settings: { name: "main" } } };
  losses.add({ model: "m", whereabouts }, 3);
  losses.add({ model: "m", whereabouts }, 4);
  losses.add({ model: "m" }, 5);
  expect(losses.list()).toEqual([
    { model: "m", channel: "main", micros: 7 },
    { model: "m", channel: "", micros: 5 },
  ]);
});

test("past a thousand models they are one, and nothing is left out", () => {
  const losses = new Losses();
  for (let at = 0; at < 1010; at++) losses.add({ model: `m-${at}` }, 1);
  const list = losses.list();
  expect(list).toHaveLength(1001);
  expect(list.at(-1)).toEqual({ model: "other", channel: "", micros: 10 });
});
