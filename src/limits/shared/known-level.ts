// One node's view of a level that all of them share: what was left when it was last told, and what
// it has taken since. A common count that comes back empty learns from that what is missing.
const minuteMs = 60_000;
/** Age that is as good as never: whatever was missing then is there again. */
const longAgoMs = 1e9;

export class KnownLevel {
  #left = 0;
  #heardAtMs = -longAgoMs;
  #taken = 0;
  #telling = 0;

  /** Taken and not yet told, whatever was refilled meanwhile. */
  get taken(): number {
    return this.#taken;
  }

  take(amount: number): void {
    this.#taken += amount;
  }

  /** A question that tells what was taken is on its way. */
  tell(): void {
    this.#telling = this.#taken;
  }

  /** Its answer is here: what is left is without what was told. */
  hear(left: number, nowMs: number): void {
    this.#left = left;
    this.#taken -= this.#telling;
    this.#telling = 0;
    this.#heardAtMs = nowMs;
  }

  /** The missing amount, less the refill since: below zero once it may be full again. */
  missing(perMinute: number, nowMs: number): number {
    const refilled = (perMinute * (nowMs - this.#heardAtMs)) / minuteMs;
    return Math.floor(perMinute - this.#left - refilled);
  }
}
