import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Pacer, type GuessPace } from "./pacer.ts";

const pace: GuessPace = { triesFree: 3, paybackMs: 60_000, waitMsMax: 30_000 };

/** A pacer on a clock that only the test moves. */
function openPacer(statesMax?: number, nodes = 1) {
  const time = { nowMs: 0 };
  const clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  return { time, pacer: new Pacer(clock, pace, () => nodes, statesMax) };
}

/** Tries as often as it may; returns the waits in between. */
function persist({ time, pacer }: ReturnType<typeof openPacer>, tries: number): number[] {
  return Array.from({ length: tries }, () => {
    const waitMs = pacer.waitMs("x");
    time.nowMs += waitMs;
    pacer.count("x");
    return waitMs;
  });
}

describe("hazard F17 a pacer", () => {
  test("lets some tries pass and then doubles the wait up to its cap", () => {
    const opened = openPacer();
    const waits = persist(opened, 12);
    expect(waits.slice(0, 8)).toEqual([0, 0, 0, 0, 1000, 2000, 4000, 8000]);
    expect(Math.max(...waits)).toBe(30_000);
  });

  test("of one of three nodes lets a third pass, and has its waits last three times as long", () => {
    const waits = persist(openPacer(undefined, 3), 12);
    expect(waits.slice(0, 5)).toEqual([0, 0, 3000, 6000, 12_000]);
    expect(Math.max(...waits)).toBe(90_000);
  });

  test("settles at the pace of its payback for one who never stops", () => {
    const opened = openPacer();
    persist(opened, 20);
    const fromMs = opened.time.nowMs;
    persist(opened, 100);
    const perTryMs = (opened.time.nowMs - fromMs) / 100;
    expect(perTryMs).toBeGreaterThanOrEqual(29_000);
  });

  test("forgets in time what was tried", () => {
    const opened = openPacer();
    persist(opened, 8);
    opened.time.nowMs += 8 * pace.paybackMs;
    expect(persist(opened, 4)).toEqual([0, 0, 0, 0]);
  });

  test("keeps those who try apart", () => {
    const opened = openPacer();
    persist(opened, 8);
    expect(opened.pacer.waitMs("x")).toBeGreaterThan(0);
    expect(opened.pacer.waitMs("y")).toBe(0);
  });

  test("does not count a try that was forgiven, and nothing once it forgets", () => {
    const { pacer } = openPacer();
    for (let tries = 0; tries < 50; tries++) {
      pacer.count("x");
      pacer.forgive("x");
    }
    expect(pacer.waitMs("x")).toBe(0);
    for (let tries = 0; tries < 5; tries++) pacer.count("x");
    pacer.forget("x");
    expect(pacer.waitMs("x")).toBe(0);
  });

  test("remembers no more than it may", () => {
    const { pacer } = openPacer(100);
    for (let at = 0; at < 1000; at++) pacer.count(`who ${at}`);
    expect(pacer.size).toBe(100);
  });

  test("never makes anyone wait longer than its cap, whatever happens when", () => {
    const step = fc.record({
      passMs: fc.nat(200_000),
      act: fc.constantFrom("count", "forgive", "ask"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { time, pacer } = openPacer();
        for (const { passMs, act } of steps) {
          time.nowMs += passMs;
          if (act === "count") pacer.count("x");
          if (act === "forgive") pacer.forgive("x");
          const waitMs = pacer.waitMs("x");
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThanOrEqual(pace.waitMsMax);
        }
      }),
    );
  });
});
