// Decide whether the money reaches: on what is in memory, in one synchronous step.
import { assert } from "../core/assert.ts";
import type { GatewayError } from "../core/errors.ts";
import { microsMax, type Micros } from "../core/money.ts";
import { assertUsable, spareMicros } from "./balance.ts";
import type { Ask } from "./ledger.ts";
import { Shortage, shortOfAccount, shortOfKey } from "./shortage.ts";

/** The ask itself, or where it may shrink as much of it as the wallet covers. */
export function admitted(ask: Ask): Ask {
  const { account, key } = ask;
  assert(ask.micros >= 0, "a hold is not negative");
  assert(key.accountId === account.id, "the key belongs to the account");
  assertUsable(account);
  assertUsable(key);
  // No wallet is deep enough for an amount that cannot be counted, not even an unlimited one.
  const isCountable = ask.micros < microsMax;
  if (isCountable && keyCovers(ask, ask.micros) && accountCovers(ask, ask.micros)) return ask;
  const roomMicros = spareMicros(account, key);
  const micros = isCountable ? (ask.shrink?.within(roomMicros) ?? null) : null;
  if (micros !== null) return { ...ask, micros };
  const least = isCountable && ask.shrink ? { ...ask, micros: ask.shrink.leastMicros } : ask;
  throw new Shortage(shortage(least), roomMicros);
}

function shortage(ask: Ask): GatewayError {
  return keyCovers(ask, ask.micros) ? shortOfAccount(ask, ask.account) : shortOfKey(ask, ask.key);
}

function keyCovers({ key }: Ask, micros: Micros): boolean {
  const { limitMicros, spentMicros, heldMicros } = key;
  return limitMicros === null || spentMicros + heldMicros + micros <= limitMicros;
}

function accountCovers({ account }: Ask, micros: Micros): boolean {
  return account.unlimited || micros <= account.availableMicros;
}
