import { expect, test } from "bun:test";
import { Ticker } from "./clock.ts";

/** A clock that says what it is told to, while the ticks themselves are real. */
function openTicker() {
  const clock = { nowMs: 0 };
  return { clock, ticker: new Ticker(() => clock.nowMs) };
}

/** Resolves with the next tick. */
function nextTick(ticker: Ticker): Promise<void> {
  return new Promise((resolve) => {
    const stop = ticker.every(0, () => {
      stop();
      resolve();
    });
  });
}

test("what is due runs, and what is not waits", async () => {
  const { clock, ticker } = openTicker();
  let runs = 0;
  const stop = ticker.every(1000, () => runs++);
  await nextTick(ticker);
  expect(runs).toBe(0);
  clock.nowMs = 1000;
  await nextTick(ticker);
  expect(runs).toBe(1);
  await nextTick(ticker);
  expect(runs).toBe(1);
  clock.nowMs = 1995;
  await nextTick(ticker);
  expect(runs).toBe(2);
  stop();
  clock.nowMs = 9000;
  await nextTick(ticker);
  expect(runs).toBe(2);
});

test("what was slept through is not made up for", async () => {
  const { clock, ticker } = openTicker();
  let runs = 0;
  const stop = ticker.every(100, () => runs++);
  clock.nowMs = 60_000;
  await nextTick(ticker);
  await nextTick(ticker);
  expect(runs).toBe(1);
  clock.nowMs = 60_100;
  await nextTick(ticker);
  expect(runs).toBe(2);
  stop();
});

test("all run in one turn of the event loop", async () => {
  const { ticker } = openTicker();
  let isSameTurn = false;
  const first = ticker.every(0, () => {
    isSameTurn = true;
    queueMicrotask(() => (isSameTurn = false));
  });
  const together = await new Promise<boolean>((resolve) => {
    const second = ticker.every(0, () => {
      first();
      second();
      resolve(isSameTurn);
    });
  });
  expect(together).toBe(true);
});

test("a thread is not woken up more often than something is due", async () => {
  let reads = 0;
  const ticker = new Ticker(() => {
    reads++;
    return performance.now();
  });
  const stopQuick = ticker.every(50, () => {});
  stopQuick();
  reads = 0;
  await new Promise<void>((resolve) => {
    const stop = ticker.every(200, () => {
      stop();
      resolve();
    });
  });
  // Once to know when it is due, once at the one tick.
  expect(reads).toBe(2);
});
