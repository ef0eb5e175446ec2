import { expect, test } from "bun:test";
import type { Timers } from "../core/clock.ts";
import { LoopLag } from "./loop-lag.ts";

function setup() {
  let nowMs = 1000;
  let tick = () => {};
  let periodMs = 0;
  const timers: Timers = {
    after: () => () => {},
    every(everyMs, run) {
      periodMs = everyMs;
      tick = run;
      return () => {
        tick = () => {};
      };
    },
  };
  const lag = new LoopLag({ nowMs: () => 0, monotonicMs: () => nowMs }, timers);
  /** The next tick, later than asked by so much. */
  function tickLate(byMs: number): void {
    nowMs += periodMs + byMs;
    tick();
  }
  return { lag, tickLate };
}

test("ticks in time are no lag", () => {
  const { lag, tickLate } = setup();
  for (let at = 0; at < 10; at++) tickLate(0);
  expect(lag.takeMaxSeconds()).toBe(0);
  expect(lag.meanSeconds()).toBe(0);
});

test("the worst tick is told once", () => {
  const { lag, tickLate } = setup();
  for (const lateMs of [3, 250, 10]) tickLate(lateMs);
  expect(lag.takeMaxSeconds()).toBe(0.25);
  expect(lag.takeMaxSeconds()).toBe(0);
  tickLate(7);
  expect(lag.takeMaxSeconds()).toBe(0.007);
});

test("the mean follows a lasting lag and forgets a single stall", () => {
  const { lag, tickLate } = setup();
  for (let at = 0; at < 200; at++) tickLate(20);
  expect(lag.meanSeconds()).toBeCloseTo(0.02, 4);
  for (let at = 0; at < 200; at++) tickLate(0);
  expect(lag.meanSeconds()).toBeCloseTo(0, 4);
});

test("a tick that comes early to catch up is not a negative lag", () => {
  const { lag, tickLate } = setup();
  tickLate(-40);
  expect(lag.takeMaxSeconds()).toBe(0);
  expect(lag.meanSeconds()).toBe(0);
});

test("a closed monitor measures no more", () => {
  const { lag, tickLate } = setup();
  lag.close();
  tickLate(500);
  expect(lag.takeMaxSeconds()).toBe(0);
});
