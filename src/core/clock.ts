// Time as a port: nothing outside core and app reads the clock or sets a timer.
import { Beat } from "./beat.ts";

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

/** Timers that do not keep the process alive by themselves. */
export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every: (periodMs, run) => beat.every(periodMs, run),
};

const beat = new Beat(() => systemClock.monotonicMs());

export function sleep(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(delayMs, resolve);
  });
}
