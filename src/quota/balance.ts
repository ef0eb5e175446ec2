// Money of an account and of a key, and the wallet that a request is paid from: both, and caps.
import type { AccountId, KeyId } from "../core/ids.ts";
import type { CapBalance, ShortageWords } from "./cap.ts";
import type { Usable } from "./kept/usable.ts";

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
  caps: readonly CapBalance[];
  shortageWords?: ShortageWords | undefined;
}

/**
 * Micros that could be charged beyond the hold without breaking the limit of the account, of the
 * key or of a hard cap.
 */
export function spareMicros({ account, key, caps }: Wallet): number {
  let least = account.unlimited ? Number.MAX_SAFE_INTEGER / 2 : account.availableMicros;
  if (key.limitMicros !== null) {
    least = Math.min(least, key.limitMicros - key.spentMicros - key.heldMicros);
  }
  for (const { mode, limitMicros, spentMicros, heldMicros } of caps) {
    if (mode === "hard") least = Math.min(least, limitMicros - spentMicros - heldMicros);
  }
  return Math.max(0, least);
}
