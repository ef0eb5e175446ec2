// The words for money that does not reach: what is needed, what is left, and what to do.
import { GatewayError } from "../core/errors.ts";
import { dollarText, microsMax } from "../core/money.ts";
import type { AccountBalance, KeyBalance } from "./balance.ts";

/** Refusal for want of money, with what there was when it was decided. */
export class Shortage extends GatewayError {
  readonly roomMicros: number;

  constructor(refusal: GatewayError, roomMicros: number) {
    const { code, message, param } = refusal;
    super(code, { message, ...(param !== null && { param }) });
    this.roomMicros = roomMicros;
  }
}

interface Wanted {
  micros: number;
  /** The client's field that bounds what the request can cost; null where nothing does. */
  lower?: string | null;
}

/** The key's own limit would be passed. */
export function shortOfKey(wanted: Wanted, key: KeyBalance): GatewayError {
  const left = Math.max(0, (key.limitMicros ?? 0) - key.spentMicros - key.heldMicros);
  const has = `this API key has ${dollarText(left)} left of its limit`;
  return refuse("insufficient_quota", wanted, {
    found: has + heldBy(key.heldMicros),
    mend: "raise the key's limit",
  });
}

export function shortOfAccount(wanted: Wanted, account: AccountBalance): GatewayError {
  if (wanted.micros >= microsMax) {
    const problem = "no account can hold that much";
    return refuse("insufficient_user_quota", wanted, { found: problem, mend: "ask for less" });
  }
  const left = Math.max(0, account.availableMicros);
  const has = `this account has ${dollarText(left)} left`;
  return refuse("insufficient_user_quota", wanted, {
    found: has + heldBy(account.heldMicros),
    mend: "add credit",
  });
}

function heldBy(heldMicros: number): string {
  return heldMicros > 0 ? ` (${dollarText(heldMicros)} is held for what is running)` : "";
}

function refuse(
  code: "insufficient_quota" | "insufficient_user_quota",
  { micros, lower = null }: Wanted,
  { found: problem, mend }: { found: string; mend: string },
): GatewayError {
  const advice = lower === null ? `Please ${mend}` : `Lower ${lower}, or ${mend}`;
  const cost = `the request can cost up to ${dollarText(micros)}`;
  const message = `Not enough quota: ${cost}, and ${problem}. ${advice}.`;
  return new GatewayError(code, { message, ...(lower !== null && { param: lower }) });
}
