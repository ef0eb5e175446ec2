// Deadlines for many waits at once: one coarse tick watches them all, so that a request pays for
// an entry in a set instead of a timer of its own.
import type { Clock, Stop, Timers } from "./clock.ts";

export interface Watch {
  /** Moves the deadline. */
  extend(inMs: number): void;
  end(): void;
}

const tickMs = 50;

export class Deadlines {
  readonly #watches = new Set<Entry>();
  readonly #clock: Clock;
  readonly #stop: Stop;

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#stop = timers.every(tickMs, () => this.#sweep());
  }

  get size(): number {
    return this.#watches.size;
  }

  /** Calls `expired` once unless the watch ends before. */
  watch(inMs: number, expired: () => void): Watch {
    const entry: Entry = { atMs: this.#clock.monotonicMs() + inMs, expired };
    this.#watches.add(entry);
    return {
      extend: (byMs) => {
        entry.atMs = this.#clock.monotonicMs() + byMs;
        this.#watches.add(entry);
      },
      end: () => this.#watches.delete(entry),
    };
  }

  close(): void {
    this.#stop();
    this.#watches.clear();
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const entry of this.#watches) {
      if (entry.atMs > nowMs) continue;
      this.#watches.delete(entry);
      entry.expired();
    }
  }
}

interface Entry {
  atMs: number;
  expired: () => void;
}
