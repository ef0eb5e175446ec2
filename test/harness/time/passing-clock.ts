// The clock of vendors whose work takes a while: the real one, and what a test lets pass besides.
// So a job lasts exactly as long as the test needs it to, however fast the machine is.
import { systemClock, type Clock } from "../../../src/core/clock.ts";

export class PassingClock implements Clock {
  #aheadMs = 0;
  #stoppedMs: number | null = null;

  nowMs(): number {
    return (this.#stoppedMs ?? systemClock.nowMs()) + this.#aheadMs;
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs;
  }

  /** It stands still until what is returned is called. */
  stop(): () => void {
    this.#stoppedMs = systemClock.nowMs();
    return () => {
      this.#stoppedMs = null;
    };
  }

  pass(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }
}
