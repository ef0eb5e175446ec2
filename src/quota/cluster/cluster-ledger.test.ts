import { expect, test } from "bun:test";
import type { Clock, Timers } from "../../core/clock.ts";
import type { NodeTurn, Turns } from "../../store/turns.ts";
import { ClusterLedger } from "./cluster-ledger.ts";
import { TurnTaker } from "./turn-taker.ts";

test("a node that waits for another one's start takes no turn before it has joined", async () => {
  const time = { ms: 0 };
  const clock: Clock = { nowMs: () => time.ms, monotonicMs: () => time.ms };
  const ticks: (() => void)[] = [];
  const timers: Timers = {
    after: () => () => {},
    every(_periodMs, run) {
      ticks.push(run);
      return () => {};
    },
  };
  const taken: NodeTurn[] = [];
  const turns: Turns = {
    join: async () => {},
    take: async (turn) => {
      taken.push(turn);
      return { again: false };
    },
    leave: async () => {},
    bury: async () => [],
    fold: async () => ({ slices: 0, holds: [] }),
    tidy: async () => {},
    countLive: async () => 2,
    list: async () => [],
    announceLeaving: async () => {},
    hearRecalls: () => {},
  };
  const newNodeId = () => "node_1";
  const taker = new TurnTaker(
    { turns, clock, timers, newNodeId, self: { name: "one", version: "1" }, faulted: () => {} },
    { ttlMs: 10_000, marginMs: 2000 },
  );
  const ledger = new ClusterLedger(
    { taker, clock, timers, soon: (run) => run(), bookGrant: async () => {}, fenced: () => {} },
    { queueMax: 10, stallMs: 1000 },
  );
  const pass = () => {
    time.ms += 1000;
    for (const run of ticks) run();
  };
  pass();
  expect(taken).toEqual([]);
  await taker.join();
  pass();
  expect(taken).toMatchObject([{ node: "node_1", seq: 1 }]);
  expect(ledger.fences).toBe(0);
});
