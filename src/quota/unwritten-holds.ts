// Holds that stand in no batch yet. One that lasts is written though nobody waits for it, so that a
// death tells of every request that a vendor has had for a second.
import type { Clock, Timers } from "../core/clock.ts";
import { LinkedSet, type Linked } from "../core/linked-set.ts";

interface Unwritten<Held> extends Linked<Held> {
  /** When it came here, by the clock that never goes back; only this set writes it. */
  sinceMs: number;
}

interface UnwrittenNeeds<Held> {
  clock: Clock;
  timers: Timers;
  /** Puts it into the batch that is filling, and has that written. */
  write(held: Held): void;
}

/** Together less than a second by as much as a write may take. */
const lastsMs = 700;
const lookMs = 100;

export class UnwrittenHolds<Held extends Unwritten<Held>> {
  readonly #needs: UnwrittenNeeds<Held>;
  readonly #holds = new LinkedSet<Held>();

  constructor(needs: UnwrittenNeeds<Held>) {
    this.#needs = needs;
    const { clock, timers } = needs;
    timers.every(lookMs, () => this.#writeUntil(clock.monotonicMs() - lastsMs));
  }

  add(held: Held): void {
    held.sinceMs = this.#needs.clock.monotonicMs();
    this.#holds.add(held);
  }

  /** False for what is in a batch, or was never to be. */
  delete(held: Held): boolean {
    return this.#holds.delete(held);
  }

  /** For whoever asks for all that was decided. */
  writeAll(): void {
    this.#writeUntil(Infinity);
  }

  /** They stand in the order of their coming. */
  #writeUntil(untilMs: number): void {
    for (;;) {
      const held = this.#holds.first;
      if (!held || held.sinceMs > untilMs) return;
      this.#holds.delete(held);
      this.#needs.write(held);
    }
  }
}
