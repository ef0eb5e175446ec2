import { expect, test } from "bun:test";
import { HeapKeeper } from "./heap-keeper.ts";

const mebibyte = 1024 * 1024;

/** A process with so much in use and so much garbage, and what became of it. */
function keep(process: { used: number; garbage: number }) {
  let sample = () => {};
  let collections = 0;
  new HeapKeeper({
    rssBytes: () => (process.used + process.garbage) * mebibyte,
    collect() {
      collections++;
      process.garbage = 0;
    },
    timers: {
      after: () => () => {},
      every(_periodMs, run) {
        sample = run;
        return () => {};
      },
    },
  });
  return {
    look: () => {
      sample();
      return collections;
    },
  };
}

test("a small heap is left alone, however much of it is garbage", () => {
  const keeper = keep({ used: 20, garbage: 160 });
  expect(keeper.look()).toBe(0);
});

test("garbage that has piled up is collected", () => {
  const process = { used: 100, garbage: 500 };
  const keeper = keep(process);
  expect(keeper.look()).toBe(1);
  expect(process.garbage).toBe(0);
});

test("what is really in use is not looked through again and again", () => {
  const process = { used: 600, garbage: 0 };
  const keeper = keep(process);
  for (let times = 0; times < 5; times++) expect(keeper.look()).toBe(1);
  process.garbage = 250;
  expect(keeper.look()).toBe(1);
  process.garbage = 310;
  expect(keeper.look()).toBe(2);
});

test("once the burst is over, less is enough to look again", () => {
  const process = { used: 600, garbage: 0 };
  const keeper = keep(process);
  expect(keeper.look()).toBe(1);
  process.used = 100;
  expect(keeper.look()).toBe(1);
  process.garbage = 150;
  expect(keeper.look()).toBe(2);
});
