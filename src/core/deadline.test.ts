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

const tickMs = 100;

function setUp() {
  const time = new FakeTime();
  const errors: unknown[] = [];
  const deadlines = new Deadlines(time, time, (error) => errors.push(error));
  const expired: string[] = [];
  const watch = (inMs: number, name: string) => deadlines.watch(inMs, () => expired.push(name));
  return { time, deadlines, expired, errors, watch };
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

  test("that was ended stays ended when it is extended", () => {
    const { time, deadlines, expired, watch } = setUp();
    const early = watch(100, "early");
    early.end();
    early.extend(10);
    const late = watch(10, "late");
    time.pass(100);
    late.end();
    late.extend(10);
    time.pass(1000);
    expect([expired, deadlines.size]).toEqual([["late"], 0]);
  });

  test("that has passed is set anew when it is extended", () => {
    const { time, deadlines, expired, watch } = setUp();
    const again = watch(10, "a");
    time.pass(100);
    again.extend(200);
    expect([expired, deadlines.size]).toEqual([["a"], 1]);
    time.pass(100);
    expect(expired).toEqual(["a"]);
    time.pass(200);
    expect([expired, deadlines.size]).toEqual([["a", "a"], 0]);
  });

  test("may set itself anew while it passes, and waits for the next tick at least", () => {
    const { time, deadlines } = setUp();
    let count = 0;
    const again = deadlines.watch(10, () => {
      count++;
      again.extend(0);
    });
    time.pass(tickMs * 3);
    expect(count).toBe(3);
    again.end();
    time.pass(1000);
    expect([count, deadlines.size]).toEqual([3, 0]);
  });

  test("may end itself while it passes", () => {
    const { time, deadlines, expired } = setUp();
    const once = deadlines.watch(10, () => {
      expired.push("a");
      once.end();
      once.extend(10);
    });
    time.pass(1000);
    expect([expired, deadlines.size]).toEqual([["a"], 0]);
  });

  test("that is extended counts from the tick to come", () => {
    const { time, expired, watch } = setUp();
    const extended = watch(100, "a");
    for (let count = 0; count < 10; count++) {
      time.pass(90);
      extended.extend(100);
    }
    expect(expired).toEqual([]);
    time.pass(100);
    expect(expired).toEqual([]);
    time.pass(2 * tickMs);
    expect(expired).toEqual(["a"]);
  });

  test("may be brought forward", () => {
    const { time, expired, watch } = setUp();
    watch(10_000, "a").extend(10);
    time.pass(2 * tickMs);
    expect(expired).toEqual(["a"]);
  });

  test("may end another while it passes", () => {
    const { time, deadlines, expired, watch } = setUp();
    deadlines.watch(10, () => second.end());
    const second = watch(10, "second");
    time.pass(tickMs);
    expect([expired, deadlines.size]).toEqual([[], 0]);
  });

  test("may move another while it passes", () => {
    const { time, deadlines, expired, watch } = setUp();
    deadlines.watch(10, () => second.extend(200));
    const second = watch(10, "second");
    time.pass(tickMs * 3);
    expect(expired).toEqual([]);
    time.pass(tickMs);
    expect(expired).toEqual(["second"]);
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

  test("pass also when one before them throws, which is told", () => {
    const { time, deadlines, expired, errors, watch } = setUp();
    const error = new Error("a");
    deadlines.watch(10, () => {
      throw error;
    });
    watch(10, "second");
    time.pass(tickMs);
    expect([expired, deadlines.size]).toEqual([["second"], 0]);
    expect(errors).toEqual([error]);
    time.pass(1000);
    expect(errors).toHaveLength(1);
  });

  test("leave what is thrown uncaught when nobody asked to be told, after the sweep", () => {
    const script = `
      import { Deadlines } from ${JSON.stringify(`${import.meta.dir}/deadline.ts`)};
      process.on("uncaughtException", (error) => console.log(error.message));
      const clock = { nowMs: () => 1, monotonicMs: () => 1 };
      const timers = { every: (periodMs, run) => setTimeout(run) };
      const deadlines = new Deadlines(clock, timers);
      deadlines.watch(0, () => { throw new Error("thrown"); });
      deadlines.watch(0, () => console.log("passed"));
    `;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", script]);
    expect(stdout.toString()).toBe("passed\nthrown\n");
  });

  test("leave nothing behind when closed", () => {
    const { time, deadlines, expired, watch } = setUp();
    const kept = watch(10, "a");
    deadlines.close();
    kept.extend(10);
    time.pass(1000);
    expect([expired, deadlines.size, time.timerCount]).toEqual([[], 0, 0]);
  });
});
