// Every movement of money in memory. Each works out where it would lead, asserts what must hold
// before and after it, and only then moves: a wrong one is refused whole, never half done. An
// account or a key that has less than nothing for reasons of its own (its limit was lowered) may
// still free what it holds; nothing may be taken from it.
import { assert } from "../core/assert.ts";
import type { AccountBalance, KeyBalance, Wallet } from "./balance.ts";
import { isCapWithin, type CapBalance } from "./cap.ts";

/** Admission: from what is available to what is held, of which the book has nothing yet. */
export function takeHold(wallet: Wallet, by: number): void {
  const { account, key, caps } = wallet;
  const available = account.availableMicros - by;
  const held = account.heldMicros + by;
  const keyHeld = key.heldMicros + by;
  assertCovered(wallet, by);
  assertBalanced(account, available + held + account.spentMicros);
  account.availableMicros = available;
  account.heldMicros = held;
  account.unwrittenMicros += by;
  key.heldMicros = keyHeld;
  key.unwrittenMicros += by;
  for (const cap of caps) {
    cap.heldMicros += by;
    cap.unwrittenMicros += by;
  }
}

/** Must hold before money is held, wherever that is counted. */
export function assertCovered({ account, key, caps }: Wallet, by: number): void {
  assert(by >= 0, "a hold is not negative");
  assert(key.accountId === account.id, "the key belongs to the account");
  const used = key.spentMicros + key.heldMicros;
  assert(by === 0 || account.unlimited || account.availableMicros >= by, "the account covers it");
  assert(by === 0 || isWithin(key, used + by), "the key covers it");
  for (const cap of caps) {
    const capUsed = cap.spentMicros + cap.heldMicros;
    assert(cap.accountId === account.id, "the cap belongs to the account");
    assert(by === 0 || isCapWithin(cap, capUsed + by), "the cap covers it");
  }
}

/** Hold that goes into a batch: the book is to have it. */
export function noteWritten({ account, key, caps }: Wallet, by: number): void {
  account.unwrittenMicros -= by;
  key.unwrittenMicros -= by;
  for (const cap of caps) cap.unwrittenMicros -= by;
}

interface HeldWallet extends Wallet {
  readonly micros: number;
  /** In no batch, so that the book never has it. */
  readonly isUnwritten: boolean;
}

/** End of a hold: what was used is spent, the rest is available again. */
export function settleHold(hold: HeldWallet, chargedMicros: number): void {
  const { account, key, caps, micros: heldMicros, isUnwritten } = hold;
  const past = chargedMicros - heldMicros;
  const available = account.availableMicros - past;
  const held = account.heldMicros - heldMicros;
  const spent = account.spentMicros + chargedMicros;
  const keyHeld = key.heldMicros - heldMicros;
  const keySpent = key.spentMicros + chargedMicros;
  const unwritten = isUnwritten ? heldMicros : 0;
  assert(chargedMicros >= 0, "a charge is not negative");
  assert(held >= 0, "the account holds what is freed");
  assert(keyHeld >= 0, "the key holds what is freed");
  assert(past <= 0 || account.unlimited || available >= 0, "the account is not overdrawn");
  assert(past <= 0 || isWithin(key, keySpent + keyHeld), "the key's limit is kept");
  assert(account.unwrittenMicros >= unwritten, "the account counts it unwritten");
  assert(key.unwrittenMicros >= unwritten, "the key counts it unwritten");
  for (const cap of caps) {
    const capHeld = cap.heldMicros - heldMicros;
    const capUsed = capHeld + cap.spentMicros + chargedMicros;
    assert(capHeld >= 0, "the cap holds what is freed");
    assert(past <= 0 || isCapWithin(cap, capUsed), "the cap's limit is kept");
    assert(cap.unwrittenMicros >= unwritten, "the cap counts it unwritten");
  }
  assertBalanced(account, available + held + spent);
  account.availableMicros = available;
  account.heldMicros = held;
  account.spentMicros = spent;
  account.unwrittenMicros -= unwritten;
  key.heldMicros = keyHeld;
  key.spentMicros = keySpent;
  key.unwrittenMicros -= unwritten;
  for (const cap of caps) {
    cap.heldMicros -= heldMicros;
    cap.spentMicros += chargedMicros;
    cap.unwrittenMicros -= unwritten;
  }
}

/** Charge past a hold that is not counted here; negative where it is undone. */
export function moveSpent({ account, key, caps }: Wallet, by: number): void {
  const available = account.availableMicros - by;
  const spent = account.spentMicros + by;
  const keySpent = key.spentMicros + by;
  assert(spent >= 0 && keySpent >= 0, "no more is undone than was spent");
  assert(by <= 0 || account.unlimited || available >= 0, "the account covers the rest");
  assert(by <= 0 || isWithin(key, keySpent + key.heldMicros), "the key covers the rest");
  for (const cap of caps) {
    const capSpent = cap.spentMicros + by;
    assert(capSpent >= 0, "no more of a cap is undone than was spent");
    assert(by <= 0 || isCapWithin(cap, capSpent + cap.heldMicros), "the cap covers the rest");
  }
  assertBalanced(account, available + account.heldMicros + spent);
  account.availableMicros = available;
  account.spentMicros = spent;
  key.spentMicros = keySpent;
  for (const cap of caps) cap.spentMicros += by;
}

/** Cost that counts under a cap and that no hold was taken for: a hard one cannot promise any. */
export function moveCost(cap: CapBalance, by: number): void {
  assert(by >= 0, "a cost is not negative");
  assert(cap.mode !== "hard", "a hard cap counts nothing that it did not admit");
  cap.spentMicros += by;
}

/** Credit that comes, or goes. */
export function moveGranted(account: AccountBalance, by: number): void {
  const grantedMicros = account.grantedMicros + by;
  const available = account.availableMicros + by;
  assert(by >= 0 || account.unlimited || available >= 0, "no more goes than is available");
  assertBalanced({ grantedMicros }, available + account.heldMicros + account.spentMicros);
  account.grantedMicros = grantedMicros;
  account.availableMicros = available;
}

function isWithin({ limitMicros }: KeyBalance, micros: number): boolean {
  return limitMicros === null || micros <= limitMicros;
}

/** Movements keep this true, so where it would not be, it was not true before either. */
function assertBalanced({ grantedMicros }: { grantedMicros: number }, sumMicros: number): void {
  assert(grantedMicros === sumMicros, "what was granted is available, held or spent");
}
