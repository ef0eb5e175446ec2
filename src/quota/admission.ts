// Whether the money reaches: decided on what is in memory, in one synchronous step.
import { assert } from "../core/assert.ts";
import { microsMax } from "../core/money.ts";
import { assertUsable } from "./balance.ts";
import type { Ask } from "./ledger.ts";
import { shortOfAccount, shortOfKey } from "./shortage.ts";

export function assertAdmitted(ask: Ask): void {
  const { account, key } = ask;
  assert(ask.micros >= 0, "a hold is not negative");
  assert(key.accountId === account.id, "the key belongs to the account");
  assertUsable(account);
  assertUsable(key);
  if (key.limitMicros !== null && key.spentMicros + key.heldMicros + ask.micros > key.limitMicros) {
    throw shortOfKey(ask, key);
  }
  // No purse is deep enough for an amount that cannot be counted, not even an unlimited one.
  const isTooMuch = !account.unlimited && ask.micros > account.availableMicros;
  if (isTooMuch || ask.micros >= microsMax) {
    throw shortOfAccount(ask, account);
  }
}
