import { expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import { WaitLine } from "./wait-line.ts";

const account = "acc_one" as AccountId;

/** Time goes on by `pass` alone. */
function makeLine(waitMs = 2000) {
  let nowMs = 0;
  const due = new Set<{ atMs: number; run: () => void }>();
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const timers = {
    after(delayMs: number, run: () => void) {
      const one = { atMs: nowMs + delayMs, run };
      due.add(one);
      return () => void due.delete(one);
    },
    every: () => () => {},
  };
  const pass = (ms: number) => {
    nowMs += ms;
    for (const one of due) if (one.atMs <= nowMs && due.delete(one)) one.run();
  };
  return { line: new WaitLine({ clock, timers, rules: { waitMs } }), pass, due };
}

test("a request goes on when its moment has come, and not before", async () => {
  const { line, pass } = makeLine();
  const request = { waitedMs: 0 };
  const waiting = line.wait(request, account, 700);
  pass(699);
  expect(line.size).toBe(1);
  pass(1);
  expect(await waiting).toBe(true);
  expect([request.waitedMs, line.size]).toEqual([700, 0]);
});

test("nothing waits for what is too far off, has no end, or where waiting is off", async () => {
  const { line, due } = makeLine();
  expect(await line.wait({ waitedMs: 0 }, account, 2001)).toBe(false);
  expect(await line.wait({ waitedMs: 0 }, account, null)).toBe(false);
  expect(await line.wait({ waitedMs: 1500 }, account, 501)).toBe(false);
  expect(await makeLine(0).line.wait({ waitedMs: 0 }, account, 1)).toBe(false);
  expect([line.size, due.size]).toEqual([0, 0]);
});

test("who leaves gives its place and its timer back at once", async () => {
  const { line, due } = makeLine();
  const client = new AbortController();
  const request = { waitedMs: 0, scope: { signal: client.signal } };
  const waiting = line.wait(request, account, 700).catch((error: unknown) => error);
  client.abort();
  expect(await waiting).toMatchObject({ code: "client_closed_request" });
  const late = line.wait(request, account, 700).catch((error: unknown) => error);
  expect(await late).toMatchObject({ code: "client_closed_request" });
  expect([line.size, due.size]).toEqual([0, 0]);
});

test("the line is bounded, and one account has an eighth of it", async () => {
  const { line, pass } = makeLine();
  const fill = (name: string, count: number) =>
    Array.from({ length: count }, () => line.wait({ waitedMs: 0 }, name as AccountId, 500));
  const greedy = fill("acc_greedy", 33);
  expect(line.size).toBe(32);
  const others = Array.from({ length: 8 }, (_, at) => fill(`acc_${at}`, 32)).flat();
  expect(line.size).toBe(256);
  pass(500);
  const waited = async (all: Promise<boolean>[]) => (await Promise.all(all)).filter(Boolean).length;
  expect([await waited(greedy), await waited(others)]).toEqual([32, 224]);
  expect(line.size).toBe(0);
});
