// The time of the database, which is one for all nodes, whatever their own clocks say. It is asked
// for now and then, and in between counted on with the clock that never goes back.
import type { Clock, Stop, Timers } from "../../core/clock.ts";
import { systemClock } from "../../core/clock.ts";

interface DatabaseClockNeeds {
  /** The database's time in milliseconds. */
  ask(): Promise<number>;
  timers: Timers;
  monotonicMs?(): number;
}

const askMs = 10_000;
/** An answer that took longer says too little. */
const roundTripMsMax = 1000;
const firstTries = 5;

export class DatabaseClock implements Clock {
  readonly #needs: DatabaseClockNeeds;
  readonly #stop: Stop;
  /** From the clock that never goes back to the database's. */
  #offsetMs: number | null = null;

  constructor(needs: DatabaseClockNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(askMs, () => void this.ask().catch(() => {}));
  }

  /** To be awaited before anything reads it. */
  async begin(): Promise<void> {
    for (let tries = 0; tries < firstTries && this.#offsetMs === null; tries++) await this.ask();
    // Slow as it is, it is nearer than the clock of a machine that nobody looks after.
    if (this.#offsetMs === null) await this.ask(Infinity);
  }

  async ask(roundTripMax: number = roundTripMsMax): Promise<void> {
    const sentMs = this.monotonicMs();
    const databaseMs = await this.#needs.ask();
    const heardMs = this.monotonicMs();
    if (heardMs - sentMs > roundTripMax) return;
    this.#offsetMs = databaseMs - (sentMs + heardMs) / 2;
  }

  nowMs(): number {
    const offsetMs = this.#offsetMs;
    if (offsetMs === null) return systemClock.nowMs();
    return Math.round(this.monotonicMs() + offsetMs);
  }

  monotonicMs(): number {
    return this.#needs.monotonicMs?.() ?? systemClock.monotonicMs();
  }

  close(): void {
    this.#stop();
  }
}
