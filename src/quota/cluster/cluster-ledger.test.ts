import { expect, test } from "bun:test";
import type { Clock, Timers } from "../../core/clock.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { AccountId, KeyId } from "../../core/ids.ts";
import { micros } from "../../core/money.ts";
import type { NodeRound, CommitRounds } from "../../store/turns.ts";
import { ClusterLedger } from "./cluster-ledger.ts";
import { RoundTaker } from "./round-taker.ts";

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
  const taken: NodeRound[] = [];
  const turns: CommitRounds = {
    join: async () => {},
    take: async (turn) => {
      taken.push(turn);
      return { again: false };
    },
    leave: async () => {},
    reap: async () => [],
    fold: async () => ({ slices: 0, holds: [] }),
    tidy: async () => {},
    countLive: async () => 2,
    isLive: async () => true,
    list: async () => [],
    announceLeaving: async () => {},
    hearRecalls: () => {},
  };
  const newNodeId = () => "node_1";
  const taker = new RoundTaker(
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

test("an answer that cannot be true has the node begin anew, and moves nothing", async () => {
  const clock: Clock = { nowMs: () => 0, monotonicMs: () => 0 };
  const timers: Timers = { after: () => () => {}, every: () => () => {} };
  const joined: string[] = [];
  const turns = {
    join: async (node: string) => void joined.push(node),
    take: async () => ({ again: false, slices: [["acc_1", 0, -5, 0, 0]], keys: [] }),
  } as unknown as CommitRounds;
  const newNodeId = () => `node_${joined.length + 1}`;
  const taker = new RoundTaker(
    { turns, clock, timers, newNodeId, self: { name: "one", version: "1" }, faulted: () => {} },
    { ttlMs: 10_000, marginMs: 2000 },
  );
  const refusals: string[] = [];
  const fenced = ({ message }: Error) => void refusals.push(message);
  const soon = queueMicrotask;
  const ledger = new ClusterLedger(
    { taker, clock, timers, soon, bookGrant: async () => {}, fenced },
    { queueMax: 10, stallMs: 1000 },
  );
  await taker.join();
  const wallet = ledger.slices.wallet("acc_1" as AccountId, "key_1" as KeyId);
  const ask = { ...wallet, id: "req_1", group: "g", model: "m", price: "p", micros: micros(1) };
  expect(ledger.tryAdmit(ask)).toBeNull();
  expect(await ledger.admit(ask).catch((error: GatewayError) => error.code)).toBe("overloaded");
  await Promise.resolve();
  expect(refusals).toEqual(["AssertionError: no more goes than is available"]);
  expect([ledger.fences, joined, wallet.account.availableMicros]).toEqual([
    1,
    ["node_1", "node_2"],
    0,
  ]);
});
