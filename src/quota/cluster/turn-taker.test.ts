// How often a node is heard of, and how long it believes in its lease.
import { expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { TurnTaker } from "./turn-taker.ts";

function taker(ttlMs: number): TurnTaker {
  const never = () => Promise.reject(new Error("no turn is taken here"));
  const turns = {
    join: never,
    take: never,
    leave: never,
    bury: never,
    fold: never,
    tidy: never,
    countLive: never,
    list: never,
    announceLeaving: never,
    hearRecalls: () => {},
  };
  const needs = {
    turns,
    clock: systemClock,
    timers: systemTimers,
    newNodeId: () => "node",
    self: { name: "node", version: "1" },
    faulted: () => {},
  };
  return new TurnTaker(needs, { ttlMs, marginMs: ttlMs / 5 });
}

test("a node that has nothing to write is heard of long before the shortest lease ends", () => {
  expect(taker(1000).beatMs).toBe(250);
  expect(taker(10_000).beatMs).toBe(1000);
});
