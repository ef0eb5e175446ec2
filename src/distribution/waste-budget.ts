// Answers that are tried elsewhere although their vendor counted them cost the operator, and nobody
// pays. Each account has some of them, and then a share of its requests: past that an answer is
// passed on and charged as it is, so that nobody has a vendor work for nothing for long.
import type { AccountId } from "../core/ids.ts";
import { Lru } from "../core/lru.ts";

export const wastesMax = 20;
const earned = 0.1;
const accountsMax = 10_000;

export class WasteBudget {
  /** Only of accounts that have wasted something. */
  readonly #left = new Lru<AccountId, number>(accountsMax);

  /** Each request earns a part of one; false where none is left. */
  earn(accountId: AccountId): boolean {
    const left = this.#left.get(accountId);
    if (left === undefined) return true;
    this.#left.set(accountId, Math.min(left + earned, wastesMax));
    return left >= 1;
  }

  spend(accountId: AccountId): void {
    const left = this.#left.get(accountId) ?? wastesMax;
    this.#left.set(accountId, Math.max(0, left - 1));
  }
}
