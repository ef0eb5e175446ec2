// The rounds in which a node is heard of, and the time it believes in its lease.
import { expect, test } from "bun:test";
import { systemClock, systemTimers, type Clock } from "../../core/clock.ts";
import type { CommitRounds } from "../../store/turns.ts";
import { RoundTaker } from "./round-taker.ts";

const never = () => Promise.reject(new Error("no turn is taken here"));

function taker(
  ttlMs: number,
  clock: Clock = systemClock,
  { join = never, take = never }: Partial<Pick<CommitRounds, "join" | "take">> = {},
): RoundTaker {
  const turns = {
    join,
    take,
    leave: never,
    reap: never,
    fold: never,
    tidy: never,
    countLive: never,
    isLive: never,
    list: never,
    announceLeaving: never,
    hearRecalls: () => {},
  };
  const needs = {
    turns,
    clock,
    timers: { ...systemTimers, after: (_delayMs: number, run: () => void) => soon(run) },
    newNodeId: () => "node",
    self: { name: "node", version: "1" },
    faulted: () => {},
  };
  return new RoundTaker(needs, { ttlMs, marginMs: ttlMs / 5 });
}

function soon(run: () => void): () => void {
  queueMicrotask(run);
  return () => {};
}

test("a node calls others dead only after a whole lease of a steady database", async () => {
  const time = { ms: 0 };
  const clock: Clock = { nowMs: () => time.ms, monotonicMs: () => time.ms };
  let failures = 0;
  const node = taker(10_000, clock, {
    join: async () => {},
    take: async () => {
      if (failures-- > 0) throw new Error("the database is away");
      return { again: false };
    },
  });
  const turn = async (atMs: number) => {
    time.ms = atMs;
    await node.take("{}", undefined);
    return node.mayReap;
  };
  await node.join();
  expect(await turn(9000)).toBe(false);
  expect(await turn(10_000)).toBe(true);
  // The database went away and came back: nobody could renew a lease.
  failures = 3;
  expect(await turn(60_000)).toBe(false);
  expect(await turn(69_000)).toBe(false);
  expect(await turn(70_000)).toBe(true);
});

test("a node that has nothing to write is heard of long before the shortest lease ends", () => {
  expect(taker(1000).heartbeatMs).toBe(250);
  expect(taker(10_000).heartbeatMs).toBe(1000);
});
