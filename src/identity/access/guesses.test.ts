import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import { Guesses } from "./guesses.ts";

const home = "192.0.2.1";
const elsewhere = "198.51.100.7";

function openGuesses() {
  const time = { nowMs: 0 };
  const clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  return { time, guesses: new Guesses(clock) };
}

/** Number of that many tries at once that are let through. */
function letThrough(tries: number, attempt: () => unknown): number {
  let count = 0;
  for (let at = 0; at < tries; at++) {
    try {
      attempt();
      count++;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "rate_limit_exceeded") throw error;
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
    }
  }
  return count;
}

describe("hazard F17 guessing", () => {
  test("is slowed for one name, also when all tries come at once", () => {
    const { guesses } = openGuesses();
    expect(letThrough(1000, () => guesses.begin("alice", home))).toBe(6);
  });

  test("from elsewhere does not keep the owner out", () => {
    const { guesses } = openGuesses();
    letThrough(1000, () => guesses.begin("alice", elsewhere));
    expect(letThrough(1, () => guesses.begin("alice", home))).toBe(1);
  });

  test("at many names is slowed by address", () => {
    const { guesses } = openGuesses();
    let at = 0;
    expect(letThrough(1000, () => guesses.begin(`name ${at++}`, home))).toBe(31);
  });

  test("from a whole network of IPv6 is guessing from one place", () => {
    const { guesses } = openGuesses();
    let at = 0;
    const address = () => `2001:db8:1:2::${(at++).toString(16)}`;
    expect(letThrough(1000, () => guesses.begin("alice", address()))).toBe(6);
  });

  test("is not what people do who know their password", () => {
    const { guesses } = openGuesses();
    expect(letThrough(1000, () => guesses.begin("alice", home).right())).toBe(1000);
  });

  test("is not made easier by an account of one's own in between", () => {
    const { guesses } = openGuesses();
    let at = 0;
    const passed = letThrough(1000, () => {
      guesses.begin("mine", home).right();
      guesses.begin(`name ${at++}`, home);
    });
    expect(passed).toBeLessThanOrEqual(31);
  });

  test("is not counted where the password was never looked at", () => {
    const { guesses } = openGuesses();
    expect(letThrough(1000, () => guesses.begin("alice", home).undo())).toBe(1000);
  });

  test("is a few hundred tries a day for one who never stops", () => {
    const { time, guesses } = openGuesses();
    let passed = 0;
    for (; time.nowMs < 86_400_000; time.nowMs += 10_000) {
      passed += letThrough(1, () => guesses.begin("alice", home));
    }
    expect(passed).toBeLessThan(350);
  });

  test("at the code of an account is slowed from all addresses together", () => {
    const { time, guesses } = openGuesses();
    const id = "acc_1" as AccountId;
    let at = 0;
    const guess = () => guesses.beginCode(id, `198.51.100.${at++ % 250}`);
    expect(letThrough(1000, guess)).toBe(11);
    let passed = 0;
    for (; time.nowMs < 86_400_000; time.nowMs += 10_000) passed += letThrough(1, guess);
    expect(passed).toBeLessThan(350);
    expect(letThrough(1, () => guesses.beginCode("acc_2" as AccountId, home))).toBe(1);
  });

  test("at a code is forgotten once it was right, and not counted where it was not looked at", () => {
    const { guesses } = openGuesses();
    const id = "acc_1" as AccountId;
    expect(letThrough(1000, () => guesses.beginCode(id, home).right())).toBe(1000);
    expect(letThrough(1000, () => guesses.beginCode(id, home).undo())).toBe(1000);
  });

  test("has nothing to do with registering, which has a pace of its own", () => {
    const { guesses } = openGuesses();
    expect(letThrough(1000, () => guesses.register(home))).toBe(21);
    expect(letThrough(1, () => guesses.begin("alice", home))).toBe(1);
    expect(letThrough(1, () => guesses.register(elsewhere))).toBe(1);
  });
});
