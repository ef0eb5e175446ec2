// The time of a gateway within the test's process: the real one, and what a test lets pass besides.
// What is due by then has happened when it has passed, so nobody sleeps through a limit.
import {
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

/** Close abruptly, without any grace. */
const hurriedMs = 1;

export class MovableTime implements Clock, Timers {
  readonly #pending = new Set<Pending>();
  /** Wall clock ahead of the machine's at the start; below zero for a life that begins earlier. */
  readonly #startMs: number;
  #aheadMs = 0;
  #isHurried = false;
  readonly #recurring = new Set<Stop>();

  constructor(startMs = 0) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return systemClock.nowMs() + this.#startMs + this.#aheadMs;
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs;
  }

  after(delayMs: number, run: () => void): Stop {
    const delay = this.#isHurried ? Math.min(delayMs, hurriedMs) : delayMs;
    const pending: Pending = { dueMs: this.monotonicMs() + delay, run, stop: () => {} };
    this.#pending.add(pending);
    this.#arm(pending);
    return () => this.#drop(pending);
  }

  /** Runs that were slept through are not made up for. */
  every(periodMs: number, run: () => void): Stop {
    const again = () => {
      stop = this.after(periodMs, again);
      run();
    };
    let stop = this.after(periodMs, again);
    const end = () => {
      stop();
      this.#recurring.delete(end);
    };
    this.#recurring.add(end);
    return end;
  }

  get recurringCount(): number {
    return this.#recurring.size;
  }

  pass(seconds: number): void {
    this.#aheadMs += seconds * 1000;
    const nowMs = this.monotonicMs();
    for (const pending of [...this.#pending].toSorted((one, other) => one.dueMs - other.dueMs)) {
      pending.stop();
      if (pending.dueMs > nowMs) this.#arm(pending);
      else if (this.#pending.delete(pending)) pending.run();
    }
  }

  /** From now on nothing is waited for. */
  hurry(): void {
    this.#isHurried = true;
  }

  /** End all that recurs: hurried, what a gateway has left would run a thousand times a second. */
  end(): void {
    for (const end of this.#recurring) end();
  }

  #arm(pending: Pending): void {
    pending.stop = systemTimers.after(Math.max(0, pending.dueMs - this.monotonicMs()), () => {
      this.#pending.delete(pending);
      pending.run();
    });
  }

  #drop(pending: Pending): void {
    pending.stop();
    this.#pending.delete(pending);
  }
}
