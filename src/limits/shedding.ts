// Refuses new work while the process holds more memory than it may, so that what runs can finish.
import type { Stop, Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";

interface LoadShedderNeeds {
  rssBytes(): number;
  memoryBytesMax: number;
  timers: Timers;
}

const samplePeriodMs = 1000;
const retryAfterSeconds = 5;
/** Shedding ends only this far below the limit, or it would flap around it. */
const resumeShare = 0.95;

export class LoadShedder {
  readonly #rssBytes: () => number;
  readonly #memoryBytesMax: number;
  readonly #stop: Stop;
  #isShedding = false;

  constructor({ rssBytes, memoryBytesMax, timers }: LoadShedderNeeds) {
    this.#rssBytes = rssBytes;
    this.#memoryBytesMax = memoryBytesMax;
    this.#sample();
    this.#stop = timers.every(samplePeriodMs, () => this.#sample());
  }

  get isShedding(): boolean {
    return this.#isShedding;
  }

  /** Throws while memory is short. */
  check(): void {
    if (this.#isShedding) throw new GatewayError("overloaded", { retryAfterSeconds });
  }

  close(): void {
    this.#stop();
  }

  #sample(): void {
    const bytes = this.#rssBytes();
    const limit = this.#isShedding ? this.#memoryBytesMax * resumeShare : this.#memoryBytesMax;
    this.#isShedding = bytes > limit;
  }
}
