// The client's end of one request. Every wait of an answer goes through it, so that a client who
// leaves ends whatever was going on at once.
import type { Stop, Timers } from "../src/core/clock.ts";

export class Line {
  readonly #timers: Timers;
  #isOpen = true;
  #stop: Stop | null = null;
  #resume: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves after the delay, or as soon as the client has left. */
  wait(delayMs: number): Promise<void> {
    return this.#pause((resume) => this.#timers.after(delayMs, resume));
  }

  /** Resolves only when the client has left. */
  waitForever(): Promise<void> {
    return this.#pause(() => () => {});
  }

  /** The client has left. */
  drop(): void {
    this.#isOpen = false;
    this.#stop?.();
    this.#resume?.();
  }

  async #pause(begin: (resume: () => void) => Stop): Promise<void> {
    if (!this.#isOpen) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    this.#stop = begin(resolve);
    await promise;
    this.#resume = null;
    this.#stop = null;
  }
}
