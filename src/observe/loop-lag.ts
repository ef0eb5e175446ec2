// Measures how late the event loop runs: a tick that comes later than asked was kept waiting.
import type { Clock, Stop, Timers } from "../core/clock.ts";

const periodMs = 100;
/** Weight of a new reading; the mean forgets half of a stall in about 7 ticks. */
const weight = 0.1;

export class LoopLag {
  readonly #clock: Clock;
  readonly #stop: Stop;
  #lastMs: number;
  #maxMs = 0;
  #meanMs = 0;

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#lastMs = clock.monotonicMs();
    this.#stop = timers.every(periodMs, () => this.#tick());
  }

  meanSeconds(): number {
    return this.#meanMs / 1000;
  }

  /** The worst since the last call. */
  takeMaxSeconds(): number {
    const maxMs = this.#maxMs;
    this.#maxMs = 0;
    return maxMs / 1000;
  }

  close(): void {
    this.#stop();
  }

  #tick(): void {
    const nowMs = this.#clock.monotonicMs();
    // Some timers come early to make up for a late one before; that is no lag.
    const lagMs = Math.max(0, nowMs - this.#lastMs - periodMs);
    this.#lastMs = nowMs;
    this.#maxMs = Math.max(this.#maxMs, lagMs);
    this.#meanMs += (lagMs - this.#meanMs) * weight;
  }
}
