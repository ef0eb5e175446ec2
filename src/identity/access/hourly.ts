// Counts what may be asked for a few times in an hour, by whoever or for whatever it is.
import type { Clock } from "../../core/clock.ts";
import { Lru } from "../../core/lru.ts";

const hourMs = 3_600_000;
/** Past it the one who asked longest ago starts afresh: a lesser evil than growing without end. */
const namesMax = 65_536;

export class Hourly {
  readonly #clock: Clock;
  readonly #timesMax: number;
  readonly #nodes: () => number;
  readonly #times = new Lru<string, readonly number[]>(namesMax);

  /** `nodes` is how many there are: each has its share. */
  constructor(clock: Clock, timesMax: number, nodes: () => number) {
    this.#clock = clock;
    this.#timesMax = timesMax;
    this.#nodes = nodes;
  }

  /** Wait before the next one. */
  waitMs(name: string): number {
    const nowMs = this.#clock.monotonicMs();
    const times = this.#recent(name, nowMs);
    const oldest = times.at(-Math.ceil(this.#timesMax / this.#nodes()));
    return oldest === undefined ? 0 : oldest + hourMs - nowMs;
  }

  count(name: string): void {
    const nowMs = this.#clock.monotonicMs();
    this.#times.set(name, [...this.#recent(name, nowMs), nowMs]);
  }

  #recent(name: string, nowMs: number): readonly number[] {
    return (this.#times.get(name) ?? []).filter((atMs) => atMs > nowMs - hourMs);
  }
}
