import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Clock, Timers } from "./clock.ts";
import { Deadlines } from "./deadline.ts";

class FakeTime implements Clock, Timers {
  #nowMs = 0;
  readonly #periods = new Map<() => void, number>();

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(): () => void {
    throw new Error("deadlines set no timer of their own");
  }

  every(periodMs: number, run: () => void): () => void {
    this.#periods.set(run, periodMs);
    return () => this.#periods.delete(run);
  }

  get timerCount(): number {
    return this.#periods.size;
  }

  pass(forMs: number): void {
    const endMs = this.#nowMs + forMs;
    while (this.#nowMs < endMs) {
      this.#nowMs++;
      for (const [run, periodMs] of this.#periods) if (this.#nowMs % periodMs === 0) run();
    }
  }
}

const tickMs = 50;

function setUp() {
  const time = new FakeTime();
  const deadlines = new Deadlines(time, time);
  const expired: string[] = [];
  const watch = (inMs: number, name: string) => deadlines.watch(inMs, () => expired.push(name));
  return { time, deadlines, expired, watch };
}

describe("a deadline", () => {
  test("passes once, at the first tick after its time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(120), (inMs, waitMs) => {
        const { time, deadlines, expired, watch } = setUp();
        time.pass(waitMs);
        watch(inMs, "a");
        time.pass(inMs - 1);
        expect(expired).toEqual([]);
        time.pass(tickMs);
        expect(expired).toEqual(["a"]);
        time.pass(1000);
        expect([expired.length, deadlines.size]).toEqual([1, 0]);
      }),
    );
  });

  test("that was ended never passes, however often it is ended", () => {
    const { time, deadlines, expired, watch } = setUp();
    const ended = watch(100, "a");
    ended.end();
    ended.end();
    time.pass(1000);
    expect([expired, deadlines.size]).toEqual([[], 0]);
  });

  test("that is extended counts from now", () => {
    const { time, expired, watch } = setUp();
    const extended = watch(100, "a");
    for (let count = 0; count < 10; count++) {
      time.pass(90);
      extended.extend(100);
    }
    expect(expired).toEqual([]);
    time.pass(150);
    expect(expired).toEqual(["a"]);
  });

  test("may be brought forward", () => {
    const { time, expired, watch } = setUp();
    watch(10_000, "a").extend(10);
    time.pass(tickMs);
    expect(expired).toEqual(["a"]);
  });

  test("may end another while it passes", () => {
    const { time, deadlines, expired, watch } = setUp();
    deadlines.watch(10, () => second.end());
    const second = watch(10, "second");
    time.pass(tickMs);
    expect([expired, deadlines.size]).toEqual([[], 0]);
  });

  test("may set another while it passes", () => {
    const { time, deadlines, expired, watch } = setUp();
    deadlines.watch(10, () => watch(100, "second"));
    time.pass(100);
    expect(expired).toEqual([]);
    time.pass(100);
    expect(expired).toEqual(["second"]);
  });
});

describe("deadlines together", () => {
  test("share one timer and pass each for itself", () => {
    const { time, deadlines, expired, watch } = setUp();
    watch(300, "late");
    watch(100, "early");
    watch(200, "ended").end();
    expect([time.timerCount, deadlines.size]).toEqual([1, 2]);
    time.pass(400);
    expect(expired).toEqual(["early", "late"]);
  });

  test("leave nothing behind when closed", () => {
    const { time, deadlines, expired, watch } = setUp();
    watch(10, "a");
    deadlines.close();
    time.pass(1000);
    expect([expired, deadlines.size, time.timerCount]).toEqual([[], 0, 0]);
  });
});
