import { expect, test } from "bun:test";
import type { Timers } from "../src/core/clock.ts";
import { Line } from "./line.ts";

/** Timers that fire when told to. */
function manualTimers() {
  const pending: Array<{ delayMs: number; run: () => void }> = [];
  const timers: Timers = {
    after(delayMs, run) {
      const entry = { delayMs, run };
      pending.push(entry);
      return () => pending.splice(pending.indexOf(entry), 1);
    },
    every: () => () => {},
  };
  return { pending, timers };
}

test("a wait ends when its timer fires", async () => {
  const { pending, timers } = manualTimers();
  const line = new Line(timers);
  const wait = line.wait(50);
  expect(pending.map(({ delayMs }) => delayMs)).toEqual([50]);
  pending[0]?.run();
  await wait;
  expect(line.isOpen).toBeTrue();
});

test("a client who leaves ends the wait and takes the timer away", async () => {
  const { pending, timers } = manualTimers();
  const line = new Line(timers);
  const wait = line.wait(50);
  line.drop();
  await wait;
  expect(pending).toEqual([]);
  expect(line.isOpen).toBeFalse();
});

test("a wait for ever ends only with the client", async () => {
  const { pending, timers } = manualTimers();
  const line = new Line(timers);
  const wait = line.waitForever();
  expect(pending).toEqual([]);
  line.drop();
  await wait;
  await line.wait(50);
  expect(pending).toEqual([]);
});
