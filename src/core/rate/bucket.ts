// A bucket that holds one minute's worth and refills continuously. The level is counted in
// sixty-thousandths of a token: a millisecond then adds exactly `perMinute` of them, so that in
// whole milliseconds nothing is ever rounded.
import { assert } from "../assert.ts";

const unitsPerToken = 60_000;

/** Past this the level would leave the whole numbers that are exact. */
export const perMinuteMax = 100_000_000_000;

export class Bucket {
  #perMinute: number;
  #units: number;
  #atMs: number;

  constructor(perMinute: number, nowMs: number) {
    this.#perMinute = checked(perMinute);
    this.#units = perMinute * unitsPerToken;
    this.#atMs = nowMs;
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  /** Whole tokens that are there. */
  get remaining(): number {
    return Math.max(0, Math.floor(this.#units / unitsPerToken));
  }

  /** Tokens that are not there, begun ones included; a debt counts too. */
  get taken(): number {
    return this.#perMinute - Math.floor(this.#units / unitsPerToken);
  }

  /** Milliseconds until the bucket is full again. */
  get resetMs(): number {
    return this.#waitMs(this.#perMinute * unitsPerToken);
  }

  /** True when the bucket is as good as a new one. */
  get isUntouched(): boolean {
    return this.#units === this.#perMinute * unitsPerToken;
  }

  refill(nowMs: number): void {
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs <= 0) return;
    this.#atMs = nowMs;
    const units = this.#units + elapsedMs * this.#perMinute;
    this.#units = Math.min(this.#perMinute * unitsPerToken, units);
  }

  /** Keeps the share that is left; a debt stays what it is, only its refill changes. */
  rescale(perMinute: number): void {
    const isFull = this.#units === this.#perMinute * unitsPerToken;
    if (isFull) this.#units = perMinute * unitsPerToken;
    else if (this.#units > 0) {
      this.#units = Math.floor((this.#units / this.#perMinute) * perMinute);
    }
    this.#perMinute = checked(perMinute);
  }

  /** Milliseconds until a whole token is there, 0 when it is. */
  get waitForOneMs(): number {
    return this.#waitMs(unitsPerToken);
  }

  /** Milliseconds until the level is above zero, 0 when it is. */
  get waitForAnyMs(): number {
    return this.#waitMs(1);
  }

  take(tokens: number): void {
    this.#units -= tokens * unitsPerToken;
  }

  /** Puts back what was taken and not used; a bucket is never more than full. */
  give(tokens: number): void {
    const full = this.#perMinute * unitsPerToken;
    this.#units = Math.min(full, this.#units + tokens * unitsPerToken);
  }

  #waitMs(units: number): number {
    const missing = units - this.#units;
    return missing <= 0 ? 0 : Math.ceil(missing / this.#perMinute);
  }
}

function checked(perMinute: number): number {
  const isUsable = Number.isSafeInteger(perMinute) && perMinute >= 0 && perMinute <= perMinuteMax;
  assert(isUsable, `not a limit per minute: ${perMinute}`);
  return perMinute;
}
