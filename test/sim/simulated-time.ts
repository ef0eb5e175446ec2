// Time that moves only when the simulation says so. The wall clock may jump, as real ones do.
import type { Clock, Stop, Timers } from "../../src/core/clock.ts";

export class SimulatedTime implements Clock {
  #wallMs = 1_700_000_000_000;
  #monotonicMs = 0;

  nowMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  advance(byMs: number): void {
    this.#wallMs += byMs;
    this.#monotonicMs += byMs;
  }

  jump(byMs: number): void {
    this.#wallMs += byMs;
  }
}

interface Alarm {
  atMs: number;
  /** Zero for an alarm that rings once. */
  periodMs: number;
  run(): void;
}

/** The timers of one process: they die with it. */
export class SimulatedTimers implements Timers {
  readonly #time: SimulatedTime;
  #alarms: Alarm[] = [];

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  after(delayMs: number, run: () => void): Stop {
    return this.#add({ atMs: this.#time.monotonicMs() + delayMs, periodMs: 0, run });
  }

  every(periodMs: number, run: () => void): Stop {
    return this.#add({ atMs: this.#time.monotonicMs() + periodMs, periodMs, run });
  }

  ringDue(): void {
    const nowMs = this.#time.monotonicMs();
    const due = this.#alarms.filter(({ atMs }) => atMs <= nowMs);
    this.#alarms = this.#alarms.filter(({ atMs, periodMs }) => atMs > nowMs || periodMs > 0);
    for (const alarm of due) {
      if (alarm.periodMs > 0) alarm.atMs = nowMs + alarm.periodMs;
      alarm.run();
    }
  }

  stopAll(): void {
    this.#alarms = [];
  }

  #add(alarm: Alarm): Stop {
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }
}
