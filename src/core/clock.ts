// Time as a port: nothing outside core and app reads the clock or sets a timer.
export interface Clock {
  /** Wall clock, for what people read and what is stored. */
  nowMs(): number;
  /** Never goes back, for measuring and for deadlines. */
  monotonicMs(): number;
}

export type Stop = () => void;

export interface Timers {
  after(delayMs: number, run: () => void): Stop;
  every(periodMs: number, run: () => void): Stop;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** At the end of this turn of the event loop, once all that had come in it was seen to. */
export const systemSoon = (run: () => void): void => void setImmediate(run);

interface Recurring {
  periodMs: number;
  dueMs: number;
  run(): void;
}

const beatMsMin = 50;
/** A tick that comes this much too early is on time for what is due with it. */
const earlyMs = 10;

/**
 * One tick for everything that recurs, as often as the most frequent asks for. Waking an idle
 * thread up costs far more than what most of these do, so they wake it up together.
 */
export class Ticker {
  readonly #nowMs: () => number;
  readonly #recurring = new Set<Recurring>();
  #timer: Timer | null = null;
  #beatMs = Infinity;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  every(periodMs: number, run: () => void): Stop {
    const one = { periodMs, dueMs: this.#nowMs() + periodMs, run };
    this.#recurring.add(one);
    this.#keepPace();
    return () => {
      this.#recurring.delete(one);
      this.#keepPace();
    };
  }

  #keepPace(): void {
    const periods = Array.from(this.#recurring, ({ periodMs }) => periodMs);
    const beatMs = Math.max(beatMsMin, Math.min(...periods));
    if (beatMs === this.#beatMs) return;
    this.#beatMs = beatMs;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = periods.length > 0 ? this.#start(beatMs) : null;
  }

  #start(beatMs: number): Timer {
    const timer = setInterval(() => this.#tick(), beatMs);
    timer.unref();
    return timer;
  }

  #tick(): void {
    const nowMs = this.#nowMs();
    for (const one of this.#recurring) {
      if (one.dueMs - earlyMs > nowMs) continue;
      one.dueMs += one.periodMs;
      // Beats that were slept through are not made up for.
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
}

const ticker = new Ticker(() => systemClock.monotonicMs());

/** Timers that do not keep the process alive by themselves. */
export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every: (periodMs, run) => ticker.every(periodMs, run),
};

export function sleep(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(delayMs, resolve);
  });
}
