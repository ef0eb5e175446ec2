// One tick for everything that recurs. Waking an idle process up costs far more than what most of
// these do, so they wake it up together.

interface Recurring {
  periodMs: number;
  dueMs: number;
  run(): void;
}

export const beatMs = 50;
/** A tick that comes this much too early is on time for what is due with it. */
const earlyMs = 10;

export class Beat {
  readonly #nowMs: () => number;
  readonly #recurring = new Set<Recurring>();
  #timer: Timer | null = null;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Returns how to stop it. */
  every(periodMs: number, run: () => void): () => void {
    const one = { periodMs, dueMs: this.#nowMs() + periodMs, run };
    this.#recurring.add(one);
    this.#timer ??= this.#start();
    return () => this.#remove(one);
  }

  #start(): Timer {
    const timer = setInterval(() => this.#tick(), beatMs);
    timer.unref();
    return timer;
  }

  #tick(): void {
    const nowMs = this.#nowMs();
    for (const one of this.#recurring) {
      if (one.dueMs - earlyMs > nowMs) continue;
      one.dueMs += one.periodMs;
      // What was slept through is not made up for.
      if (one.dueMs < nowMs) one.dueMs = nowMs + one.periodMs;
      try {
        one.run();
      } catch (error) {
        // Thrown where nobody can catch it, as a timer of its own would have done.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #remove(one: Recurring): void {
    this.#recurring.delete(one);
    if (this.#recurring.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
