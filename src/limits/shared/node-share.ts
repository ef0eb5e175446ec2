// A node's share of a limit while the common count cannot be asked. It starts with a second's worth
// at most, so that a loss gives nobody a second bucket, and turns nobody away by itself.
const minuteMs = 60_000;
const secondsPerMinute = 60;
/** Levels are fractions here: what is missing by less than this is there. */
const slack = 1e-6;

export class NodeShare {
  #level: number;
  #atMs: number;

  constructor(level: number, nowMs: number) {
    this.#level = level;
    this.#atMs = nowMs;
  }

  /**
   * The start of a share of requests: its part of what was left for all when that was last known,
   * or what it would have gained since it last let one in.
   */
  static ofRequests(perMinute: number, past: { idleMs: number; left: number }, nowMs: number) {
    const gained = Math.min(1, (past.idleMs / minuteMs) * perMinute);
    const kept = Math.min(past.left, Math.max(1, perMinute / secondsPerMinute));
    return new NodeShare(Math.max(gained, kept), nowMs);
  }

  refill(perMinute: number, nowMs: number): void {
    const gained = ((nowMs - this.#atMs) / minuteMs) * perMinute;
    this.#level = Math.min(Math.max(1, perMinute), this.#level + gained);
    this.#atMs = nowMs;
  }

  get level(): number {
    return this.#level;
  }

  take(amount: number): void {
    this.#level -= amount;
  }

  /** Milliseconds until the level is there, 0 when it is. */
  waitMs(level: number, perMinute: number): number {
    const missing = level - this.#level;
    if (missing <= slack) return 0;
    return perMinute > 0 ? Math.ceil((missing / perMinute) * minuteMs) : minuteMs;
  }
}

/** A node's part of places that all have together: never none, or it would serve nobody. */
export function placesOf(concurrency: number, nodes: number, rank: number): number {
  const odd = rank < concurrency % nodes ? 1 : 0;
  return Math.max(Math.min(1, concurrency), Math.floor(concurrency / nodes) + odd);
}
