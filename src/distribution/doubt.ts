// Evidence against a key that a vendor has refused without saying that it is the key. One account
// alone proves nothing: it may have asked for what no key may have.
import type { AccountId } from "../core/ids.ts";

/** One refusal that may have been for the key. */
export interface KeyRefusal {
  accountId: AccountId;
  /** The refusal was about credit, of which a free call knows nothing. */
  isOfCredit: boolean;
  /** It may have been for what the request names. */
  namesObjects: boolean;
  /** The vendor's own words. */
  reason: string;
}

const accountsToConfirm = 3;
const windowMs = 5 * 60_000;
const checkPauseMs = 30_000;
/** So many refusals, over so long, are no accident of one request's size. */
const refusalsToAsk = 10;
const refusedMsToAsk = 2 * 60_000;

export class Doubt {
  /** Time of each account's last refusal, since the key last served anybody. */
  readonly #refusedAtMs = new Map<AccountId, number>();
  #checkedAtMs = -Infinity;
  #isChecking = false;
  #isCheckable = true;
  #clears = 0;
  #creditRefusals = 0;
  #creditSinceMs = 0;

  /** Times it was cleared: a caller that waited sees whether it was in the meantime. */
  get clears(): number {
    return this.#clears;
  }

  /** False when the last check could not tell. */
  get isCheckable(): boolean {
    return this.#isCheckable;
  }

  /** The key has served somebody, or was found to be good. */
  clear(): void {
    this.#refusedAtMs.clear();
    this.#creditRefusals = 0;
    this.#clears++;
  }

  /** True when it was refused for its credit for minutes, and nobody was served in between. */
  isSpentForLong(nowMs: number): boolean {
    if (this.#creditRefusals === 0) this.#creditSinceMs = nowMs;
    this.#creditRefusals++;
    const isLong = nowMs >= this.#creditSinceMs + refusedMsToAsk;
    if (!isLong || this.#creditRefusals < refusalsToAsk) return false;
    this.#creditRefusals = 0;
    return true;
  }

  /** Accounts that were refused, within some minutes. */
  get accounts(): AccountId[] {
    return [...this.#refusedAtMs.keys()];
  }

  /** True when several accounts met it within some minutes, and nobody was served in between. */
  isMetBySeveral(accountId: AccountId, nowMs: number): boolean {
    for (const [account, atMs] of this.#refusedAtMs) {
      if (atMs < nowMs - windowMs) this.#refusedAtMs.delete(account);
    }
    this.#refusedAtMs.set(accountId, nowMs);
    return this.#refusedAtMs.size >= accountsToConfirm;
  }

  /** False while a check is under way, or was a moment ago. */
  beginCheck(nowMs: number): boolean {
    if (this.#isChecking || nowMs < this.#checkedAtMs + checkPauseMs) return false;
    this.#isChecking = true;
    this.#checkedAtMs = nowMs;
    return true;
  }

  endCheck(isClear: boolean): void {
    this.#isChecking = false;
    this.#isCheckable = isClear;
  }
}
