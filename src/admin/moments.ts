// Expiry of keys, tokens and invitations.
import { unixSeconds } from "../config/fields.ts";
import { invalid } from "../core/errors.ts";

/** Moment something stops working, in Unix seconds; what is over already can only be a mistake. */
export function readExpiry(
  { clock }: { clock: { nowMs(): number } },
  moment: number | string,
): number {
  const seconds = unixSeconds(moment);
  const nowSeconds = Math.floor(clock.nowMs() / 1000);
  if (seconds > nowSeconds) return seconds;
  throw invalid("expires_at", `is in the past: ${seconds} is not after now, ${nowSeconds}.`);
}
