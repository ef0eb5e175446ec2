// Decide whether the money reaches: on what is in memory, in one synchronous step.
import { assert } from "../core/assert.ts";
import type { GatewayError } from "../core/errors.ts";
import { microsMax, type Micros } from "../core/money.ts";
import { spareMicros } from "./balance.ts";
import { isCapOpen, isCapWithin, type CapBalance } from "./cap.ts";
import { assertUsable } from "./kept/usable.ts";
import type { Ask } from "./ledger.ts";
import { Shortage, shortOfAccount, shortOfCap, shortOfKey } from "./shortage.ts";

/** Parts of a wallet that are known to lack money; undefined: those that do not cover the ask. */
export type Lacking = readonly { id: string }[] | undefined;

/** The ask itself, or where it may shrink as much of it as the wallet covers. */
export function admitted(ask: Ask, nowMs: number, lacking: Lacking): Ask {
  const { account, key, caps } = ask;
  assert(ask.micros >= 0, "a hold is not negative");
  assert(key.accountId === account.id, "the key belongs to the account");
  assertUsable(account);
  assertUsable(key);
  for (const cap of caps) assertOpen(ask, cap, nowMs);
  // No wallet is deep enough for an amount that cannot be counted, not even an unlimited one.
  const isCountable = ask.micros < microsMax;
  if (isCountable && covers(ask, ask.micros)) return ask;
  const roomMicros = spareMicros(ask);
  const micros = isCountable ? (ask.shrink?.within(roomMicros) ?? null) : null;
  if (micros !== null) return { ...ask, micros };
  const least = isCountable && ask.shrink ? { ...ask, micros: ask.shrink.leastMicros } : ask;
  throw new Shortage(shortage(least, nowMs, lacking), roomMicros);
}

/** A request that costs nothing harms no budget. */
function assertOpen(ask: Ask, cap: CapBalance, nowMs: number): void {
  assertUsable(cap);
  if (ask.micros > 0 && !isCapOpen(cap)) throw shortOfCap(ask, cap, nowMs);
}

function covers(ask: Ask, micros: Micros): boolean {
  return keyCovers(ask, micros) && accountCovers(ask, micros) && capShort(ask, micros) === null;
}

/** Money that another node has is not what is short. */
function shortage(ask: Ask, nowMs: number, lacking: Lacking): GatewayError {
  const { account, key, caps, micros } = ask;
  const isLacking = (one: { id: string }) => !lacking || lacking.some(({ id }) => id === one.id);
  if (!keyCovers(ask, micros) && isLacking(key)) return shortOfKey(ask, key);
  const isAccounts = !accountCovers(ask, micros) && isLacking(account);
  const cap = isAccounts ? null : capShort({ caps: caps.filter(isLacking) }, micros);
  return cap ? shortOfCap(ask, cap, nowMs) : shortOfAccount(ask, account);
}

/** The first hard cap that does not cover it. */
function capShort({ caps }: Pick<Ask, "caps">, micros: Micros): CapBalance | null {
  for (const cap of caps) {
    if (!isCapWithin(cap, cap.spentMicros + cap.heldMicros + micros)) return cap;
  }
  return null;
}

function keyCovers({ key }: Ask, micros: Micros): boolean {
  const { limitMicros, spentMicros, heldMicros } = key;
  return limitMicros === null || spentMicros + heldMicros + micros <= limitMicros;
}

function accountCovers({ account }: Ask, micros: Micros): boolean {
  return account.unlimited || micros <= account.availableMicros;
}
