// Money of an account and of a key. A balance is one object that everybody works on; it is put away
// only while nobody does, so that there are never two of it to spend from.
import { GatewayError } from "../core/errors.ts";
import type { AccountId, KeyId } from "../core/ids.ts";

export interface Usable {
  /** Open reservations and grants under way. */
  uses: number;
  /** Put away: whoever still has it must ask for it anew. */
  isForgotten: boolean;
  /** Part of what is held here that the book has not, and is not about to have. */
  unwrittenMicros: number;
}

export interface AccountBalance extends Usable {
  id: AccountId;
  unlimited: boolean;
  grantedMicros: number;
  availableMicros: number;
  heldMicros: number;
  spentMicros: number;
}

export interface KeyBalance extends Usable {
  id: KeyId;
  accountId: AccountId;
  limitMicros: number | null;
  heldMicros: number;
  spentMicros: number;
}

/** Balances a request is paid from. */
export interface Wallet {
  account: AccountBalance;
  key: KeyBalance;
}

export function assertUsable({ isForgotten }: Usable): void {
  if (isForgotten) throw new GatewayError("overloaded", { retryAfterSeconds: 1 });
}

/**
 * Micros that could be charged beyond the hold without breaking the account's or the key's limit.
 */
export function spareMicros(account: AccountBalance, key: KeyBalance): number {
  const ofAccount = account.unlimited ? Number.MAX_SAFE_INTEGER / 2 : account.availableMicros;
  if (key.limitMicros === null) return Math.max(0, ofAccount);
  const ofKey = key.limitMicros - key.spentMicros - key.heldMicros;
  return Math.max(0, Math.min(ofAccount, ofKey));
}
