import { expect, test } from "bun:test";
import type { Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import { LoadShedder } from "./shedding.ts";
import { statusOf } from "../http/envelopes/status.ts";

function setup(firstBytes: number) {
  let bytes = firstBytes;
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
  const shedder = new LoadShedder({ rssBytes: () => bytes, memoryBytesMax: 1000, timers });
  function sample(nextBytes: number): boolean {
    bytes = nextBytes;
    tick();
    return shedder.isShedding;
  }
  return { shedder, sample, periodMs };
}

function errorOf(run: () => void): GatewayError | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

test("memory is sampled once a second", () => {
  expect(setup(0).periodMs).toBe(1000);
});

test("work is refused while memory is over the limit", () => {
  const { shedder, sample } = setup(500);
  expect(errorOf(() => shedder.check())).toBeNull();
  sample(1001);
  const error = errorOf(() => shedder.check());
  expect(error?.code).toBe("overloaded");
  expect(error && statusOf(error)).toBe(503);
  expect(error?.retryAfterSeconds).toBe(5);
});

test("a process that is already too large refuses from the start", () => {
  expect(setup(2000).shedder.isShedding).toBe(true);
});

test("memory exactly at the limit is allowed", () => {
  expect(setup(0).sample(1000)).toBe(false);
});

test("refusing ends only five percent below the limit", () => {
  const { sample } = setup(0);
  expect(sample(1001)).toBe(true);
  expect(sample(1000)).toBe(true);
  expect(sample(951)).toBe(true);
  expect(sample(950)).toBe(false);
  expect(sample(1000)).toBe(false);
});

test("a closed shedder samples no more", () => {
  const { shedder, sample } = setup(0);
  shedder.close();
  expect(sample(5000)).toBe(false);
});
