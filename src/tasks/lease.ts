// A node's lease on the tasks that it looks after. Their rows say until when it lasts, so that
// another node may take them over once this one is dead; here the node knows, by the clock that
// never goes back, whether it may still act. All its tasks have one lease, renewed at once.
import type { Clock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";

interface LeaseNeeds {
  clock: Clock;
  random: Random;
  /** No other process can use the store: nobody can take anything over from one that is alive. */
  isSole: boolean;
}

export const leaseMs = 30_000;
export const renewMs = 10_000;
/** The node stops acting so long before others may begin. */
export const marginMs = 5000;

/** A renewal on its way to the rows. */
interface Renewal {
  /** On the wall clock, as the rows have it. */
  untilMs: number;
  /** It is in the rows. */
  written(): void;
}

export class Lease {
  /** Another one for each start of a process. */
  readonly owner: string;
  readonly isSole: boolean;
  readonly #clock: Clock;
  #actsUntilMs: number;
  #renewAtMs: number;
  #hasEnded = false;

  constructor({ clock, random, isSole }: LeaseNeeds) {
    this.owner = `node_${random.bytes(12).toHex()}`;
    this.isSole = isSole;
    this.#clock = clock;
    // Nobody knows this owner: whatever tasks it gets are leased from now on at the earliest.
    const nowMs = clock.monotonicMs();
    this.#actsUntilMs = nowMs + leaseMs - marginMs;
    this.#renewAtMs = nowMs + renewMs;
  }

  /** Whether this node may act on its tasks at this moment. */
  get isHeld(): boolean {
    if (this.#hasEnded) return false;
    return this.isSole || this.#clock.monotonicMs() < this.#actsUntilMs;
  }

  get isDue(): boolean {
    return this.#clock.monotonicMs() >= this.#renewAtMs;
  }

  /** For the row of a task that begins now. */
  get untilMs(): number {
    return this.#clock.nowMs() + leaseMs;
  }

  /** It counts from here, however long the writing takes. */
  renew(): Renewal {
    const fromMs = this.#clock.monotonicMs();
    return {
      untilMs: this.untilMs,
      written: () => {
        this.#actsUntilMs = Math.max(this.#actsUntilMs, fromMs + leaseMs - marginMs);
        this.#renewAtMs = Math.max(this.#renewAtMs, fromMs + renewMs);
      },
    };
  }

  /** For good. */
  end(): void {
    this.#hasEnded = true;
  }
}
