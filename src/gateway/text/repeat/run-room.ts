// Memory for answers while they are made, of the whole process and of each account: what finds no
// room in it goes to its client as ever, and is not kept.
import type { AccountId } from "../../../core/ids.ts";

/** One account has a part of it, so that it cannot leave all others without. */
const accountParts = 4;

export class RunRoom {
  readonly #bytesMax: number;
  readonly #accounts = new Map<AccountId, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(accountId: AccountId, bytes: number): boolean {
    const ofAccount = (this.#accounts.get(accountId) ?? 0) + bytes;
    return this.#bytes + bytes <= this.#bytesMax && ofAccount <= this.#bytesMax / accountParts;
  }

  /** Less than nothing gives some back. */
  take(accountId: AccountId, bytes: number): void {
    this.#bytes += bytes;
    const ofAccount = (this.#accounts.get(accountId) ?? 0) + bytes;
    if (ofAccount > 0) this.#accounts.set(accountId, ofAccount);
    else this.#accounts.delete(accountId);
  }
}
