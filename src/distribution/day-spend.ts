// Money a day that may be spent on a channel, at cost prices. A day is of UTC; nothing is reset at
// its end, since another day is counted anew.
import type { Clock } from "../core/clock.ts";
import { dayMs, dayOf } from "../core/day.ts";

export class DaySpend {
  #capMicros: number;
  #day = -1;
  #micros = 0;
  /** Time by the monotonic clock, which is what requests are chosen by. */
  #dayEndsMs = 0;

  constructor(capMicros: number) {
    this.#capMicros = capMicros;
  }

  /** Change the cap; the day's spend stays. */
  update(capMicros: number): void {
    this.#capMicros = capMicros;
  }

  /** Time from which it may be spent again, 0 where it may now. */
  spentUntilMs(nowMs: number): number {
    return this.#micros >= this.#capMicros && nowMs < this.#dayEndsMs ? this.#dayEndsMs : 0;
  }

  /** Counts what was settled on this node. */
  count(micros: number, clock: Clock): void {
    this.#turn(clock);
    this.#micros += micros;
  }

  /** Takes the day's sum of all nodes, which may not have yet what this one settled last. */
  told(micros: number, day: number, clock: Clock): void {
    this.#turn(clock);
    if (day === this.#day) this.#micros = Math.max(this.#micros, micros);
  }

  #turn(clock: Clock): void {
    const wallMs = clock.nowMs();
    const day = dayOf(wallMs);
    if (day !== this.#day) this.#micros = 0;
    this.#day = day;
    this.#dayEndsMs = clock.monotonicMs() + (day + 1) * dayMs - wallMs;
  }
}
