import { expect, test } from "bun:test";
import type { Timers } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { usageRow } from "./log-database.fixture.ts";
import { UsageLog, type UsageLogSink, type UsageRow } from "./usage-log.ts";

function row(number: number): UsageRow {
  return usageRow({ id: `req_${number}`, atMs: number });
}

/** A sink that keeps what it is given, fails on demand, or waits until it is let go. */
class FakeSink implements UsageLogSink {
  readonly written: string[] = [];
  readonly batchSizes: number[] = [];
  calls = 0;
  isBroken = false;
  gate: Promise<void> = Promise.resolve();

  encode(rows: readonly UsageRow[]): string {
    this.batchSizes.push(rows.length);
    return rows.map(({ id }) => id).join(" ");
  }

  async write(documents: readonly string[]): Promise<void> {
    this.calls += 1;
    await this.gate;
    if (this.isBroken) throw new Error("disk full");
    this.written.push(...documents.flatMap((document) => document.split(" ")));
  }
}

function setup() {
  const sink = new FakeSink();
  const said: string[] = [];
  const log: Log = {
    debug: () => {},
    info: (message) => said.push(message),
    warn: (message) => said.push(message),
    error: (message) => said.push(message),
    flush: () => {},
  };
  const clock = { tick: () => {}, periodMs: 0 };
  const timers: Timers = {
    after: () => () => {},
    every(periodMs, run) {
      clock.tick = run;
      clock.periodMs = periodMs;
      return () => {
        clock.tick = () => {};
      };
    },
  };
  const usage = new UsageLog({ sink, timers, log });
  function add(count: number, from = 0): void {
    for (let at = 0; at < count; at++) usage.add(row(from + at));
  }
  return { usage, sink, said, clock, add };
}

function idsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `req_${at}`);
}

test("rows are written at the next tick", async () => {
  const { usage, sink, clock, add } = setup();
  add(3);
  expect(sink.calls).toBe(0);
  expect(clock.periodMs).toBe(500);
  clock.tick();
  await usage.flush();
  expect(sink.written).toEqual(idsUpTo(3));
  expect(usage.buffered).toBe(0);
});

test("a tick without rows does not call the sink", () => {
  const { sink, clock } = setup();
  clock.tick();
  expect(sink.calls).toBe(0);
});

test("two thousand rows are written without waiting for the tick, five hundred in a text", async () => {
  const { usage, sink, add } = setup();
  add(1999);
  expect(sink.calls).toBe(0);
  add(1, 1999);
  expect(sink.calls).toBe(1);
  await usage.flush();
  expect(sink.calls).toBe(1);
  expect(sink.batchSizes).toEqual(Array(4).fill(500));
  expect(sink.written).toEqual(idsUpTo(2000));
});

test("rows that come during a write are written after it, in order and once", async () => {
  const { usage, sink, add } = setup();
  const { promise, resolve } = Promise.withResolvers<void>();
  sink.gate = promise;
  add(4200);
  expect(sink.calls).toBe(1);
  add(5050, 4200);
  resolve();
  await usage.flush();
  expect(sink.written).toEqual(idsUpTo(9250));
  expect(sink.calls).toBe(5);
  expect(usage.buffered).toBe(0);
});

test("a failing sink keeps the rows for the next tick", async () => {
  const { usage, sink, clock, add } = setup();
  sink.isBroken = true;
  add(700);
  await usage.flush();
  expect(usage.buffered).toBe(700);
  expect(usage.dropped).toBe(0);
  sink.isBroken = false;
  clock.tick();
  await usage.flush();
  expect(sink.written).toEqual(idsUpTo(700));
  expect(usage.buffered).toBe(0);
});

test("a flush that meets a write about to fail tries once more itself", async () => {
  const { usage, sink, add } = setup();
  const { promise, reject } = Promise.withResolvers<void>();
  sink.gate = promise;
  add(2000);
  const flushed = usage.flush();
  sink.gate = Promise.resolve();
  reject(new Error("connection lost"));
  await flushed;
  expect(sink.written).toEqual(idsUpTo(2000));
});

test("a failing sink is tried at ticks, not at every full batch", async () => {
  const { usage, sink, clock, add } = setup();
  sink.isBroken = true;
  add(500);
  await usage.flush();
  const callsBefore = sink.calls;
  add(9000, 500);
  expect(sink.calls).toBe(callsBefore);
  clock.tick();
  expect(sink.calls).toBe(callsBefore + 1);
});

test("a sink that throws at once is no different from one that rejects", async () => {
  const { usage, sink, add } = setup();
  sink.write = () => {
    throw new Error("closed");
  };
  add(500);
  await usage.flush();
  expect(usage.buffered).toBe(500);
});

test("past the cap new rows are dropped and counted, the old ones stay", async () => {
  const { usage, sink, add } = setup();
  sink.isBroken = true;
  add(50_010);
  await usage.flush();
  expect(usage.buffered).toBe(50_000);
  expect(usage.dropped).toBe(10);
  sink.isBroken = false;
  await usage.flush();
  expect(sink.written).toEqual(idsUpTo(50_000));
  add(1, 60_000);
  await usage.flush();
  expect(sink.written.at(-1)).toBe("req_60000");
  expect(usage.dropped).toBe(10);
});

test("an outage is said once when it starts and once when it ends", async () => {
  const { usage, sink, said, add } = setup();
  sink.isBroken = true;
  add(1);
  for (let round = 0; round < 5; round++) await usage.flush();
  sink.isBroken = false;
  add(1, 1);
  await usage.flush();
  await usage.flush();
  expect(said).toEqual(["the usage log cannot be written", "the usage log is written again"]);
});

test("closing writes what is left and stops the ticks", async () => {
  const { usage, sink, clock, add } = setup();
  add(7);
  await usage.close();
  expect(sink.written).toEqual(idsUpTo(7));
  add(1, 7);
  clock.tick();
  expect(sink.calls).toBe(1);
});
