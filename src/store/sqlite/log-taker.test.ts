import { expect, test } from "bun:test";
import type { Timers } from "../../core/clock.ts";
import { StoreError } from "../store.ts";
import { LogTaker } from "./log-taker.ts";

const megabyte = "x".repeat(1024 * 1024);

class Bench {
  readonly lost: number[] = [];
  readonly commits: number[] = [];
  readonly delays: number[] = [];
  fails = false;
  mainSequence = 0;
  readonly taker: LogTaker;

  constructor() {
    const timers: Timers = {
      after: (delayMs) => {
        this.delays.push(delayMs);
        return () => undefined;
      },
      every: () => () => undefined,
    };
    this.taker = new LogTaker({
      log: {
        commit: async (documents) => {
          if (this.fails) throw new StoreError("io", "the disk cannot be written");
          this.commits.push(documents.length);
        },
        appliedSequence: 0,
        faulted: () => undefined,
        lost: (count) => this.lost.push(count),
      },
      timers,
      mainSequence: () => this.mainSequence,
      taken: () => undefined,
    });
  }
}

test("what was taken long ago is not counted against a log that fails once", async () => {
  const bench = new Bench();
  // The newest is always still on its way to the main database, so something always waits.
  for (let sequence = 1; sequence <= 70; sequence++) {
    bench.taker.add(sequence, megabyte);
    bench.mainSequence = sequence - 1;
    await bench.taker.take();
  }
  bench.fails = true;
  bench.mainSequence = 70;
  await bench.taker.take();
  expect([bench.lost, bench.commits.length]).toEqual([[], 69]);
});

test("a log that stays away costs what is beyond the bound, and is told so", async () => {
  const bench = new Bench();
  bench.fails = true;
  for (let sequence = 1; sequence <= 65; sequence++) bench.taker.add(sequence, megabyte);
  bench.mainSequence = 65;
  await bench.taker.take();
  expect(bench.lost).toEqual([65]);
});

test("much is taken at once, little a little later", async () => {
  const bench = new Bench();
  bench.taker.add(1, "little");
  bench.mainSequence = 1;
  bench.taker.takeSoon();
  expect([bench.delays, bench.commits]).toEqual([[500], []]);
  bench.taker.add(2, megabyte);
  bench.mainSequence = 2;
  bench.taker.takeSoon();
  await bench.taker.take();
  expect(bench.commits).toEqual([2]);
});
