// Requests that wait for a channel which is back in a moment, in place of a 429 that would bring
// them back no sooner. Each has a timer of its own; nothing is asked again in between.
import type { Clock, Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId } from "../core/ids.ts";

interface WaitNeeds {
  clock: Clock;
  timers: Timers;
  /** For one request, however often it waits. 0 turns it off. */
  rules: { readonly waitMs: number };
}

/** Limited because a waiting request has its body and its hold. */
const placesMax = 256;
/** One account has a part of them, so that it cannot leave all others without. */
const accountParts = 8;

/** A request, as far as it waits. */
export interface Waiting {
  /** So far, in all. */
  waitedMs: number;
  /** Absent where no client listens. */
  readonly scope?: { readonly signal: AbortSignal };
}

export class WaitLine {
  readonly #needs: WaitNeeds;
  readonly #accounts = new Map<AccountId, number>();
  #size = 0;

  constructor(needs: WaitNeeds) {
    this.#needs = needs;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Resolves when that moment has come; false at once where it is too far off or the line is full.
   * Throws when the client leaves meanwhile.
   */
  async wait(request: Waiting, accountId: AccountId, untilMs: number | null): Promise<boolean> {
    const { clock, rules } = this.#needs;
    if (untilMs === null) return false;
    const startedAtMs = clock.monotonicMs();
    // Whole milliseconds, since a timer that is early would only wait once more.
    const delayMs = Math.max(1, Math.ceil(untilMs - startedAtMs));
    if (delayMs > rules.waitMs - request.waitedMs || !this.#enter(accountId)) return false;
    try {
      await this.#pass(delayMs, request.scope?.signal);
    } finally {
      this.#leave(accountId);
      request.waitedMs += Math.ceil(clock.monotonicMs() - startedAtMs);
    }
    return true;
  }

  #pass(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = this.#needs.timers.after(delayMs, () => {
      signal?.removeEventListener("abort", left);
      resolve();
    });
    const left = () => {
      stop();
      reject(new GatewayError("client_closed_request"));
    };
    // A listener to a signal that has aborted already is not told.
    if (signal?.aborted) left();
    else signal?.addEventListener("abort", left, { once: true });
    return promise;
  }

  #enter(accountId: AccountId): boolean {
    const ofAccount = this.#accounts.get(accountId) ?? 0;
    if (this.#size >= placesMax || ofAccount >= placesMax / accountParts) return false;
    this.#size++;
    this.#accounts.set(accountId, ofAccount + 1);
    return true;
  }

  #leave(accountId: AccountId): void {
    this.#size--;
    const ofAccount = (this.#accounts.get(accountId) ?? 0) - 1;
    if (ofAccount > 0) this.#accounts.set(accountId, ofAccount);
    else this.#accounts.delete(accountId);
  }
}
