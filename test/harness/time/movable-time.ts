// The time of a gateway within the test's process: the real one, and what a test lets pass besides.
// What is due by then happens at once, so nobody sleeps through a lease or a window.
import {
  Beat,
  systemClock,
  systemTimers,
  type Clock,
  type Stop,
  type Timers,
} from "../../../src/core/clock.ts";

interface Pending {
  dueMs: number;
  run(): void;
  stop: Stop;
}

/** Whoever closes a gateway abruptly waits for none of its graces. */
const hurriedMs = 1;

export class MovableTime implements Clock, Timers {
  readonly #beat = new Beat(() => this.monotonicMs());
  readonly #pending = new Set<Pending>();
  #aheadMs = 0;
  #isHurried = false;

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs;
  }

  after(delayMs: number, run: () => void): Stop {
    const delay = this.#isHurried ? Math.min(delayMs, hurriedMs) : delayMs;
    const pending: Pending = { dueMs: this.monotonicMs() + delay, run, stop: () => {} };
    this.#pending.add(pending);
    this.#arm(pending);
    return () => {
      pending.stop();
      this.#pending.delete(pending);
    };
  }

  every(periodMs: number, run: () => void): Stop {
    return this.#beat.every(periodMs, run);
  }

  pass(seconds: number): void {
    this.#aheadMs += seconds * 1000;
    for (const pending of this.#pending) {
      pending.stop();
      this.#arm(pending);
    }
  }

  /** From now on nothing is waited for. */
  hurry(): void {
    this.#isHurried = true;
  }

  #arm(pending: Pending): void {
    pending.stop = systemTimers.after(Math.max(0, pending.dueMs - this.monotonicMs()), () => {
      this.#pending.delete(pending);
      pending.run();
    });
  }
}
