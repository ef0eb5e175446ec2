// Holds that stand in no batch yet. One that lasts is written though nobody waits for it, so that a
// death tells of every request that a vendor has had for a second.
import type { Clock, Timers } from "../core/clock.ts";
import { LinkedSet, type Linked } from "../core/linked-set.ts";

interface Unwritten<Held> extends Linked<Held> {
  /** Time of its coming here, by the clock that never goes back; only this set writes it. */
  sinceMs: number;
  /** Whether it stands here, and in no batch; only this set writes it. */
  isUnwritten: boolean;
}

interface UnwrittenNeeds<Held> {
  clock: Clock;
  timers: Timers;
  /** Takes it out of here, into the batch that is filling, and has that written. */
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
    held.isUnwritten = true;
    this.#holds.add(held);
  }

  delete(held: Held): void {
    if (held.isUnwritten) this.#holds.delete(held);
    held.isUnwritten = false;
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
      this.#needs.write(held);
    }
  }
}
