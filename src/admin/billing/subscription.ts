// What may be spent, in the words that clients of OpenAI's old dashboard know.
import type { Caller } from "../../identity/caller.ts";
import { toSeconds } from "../input.ts";
import { findScope, type BillingParts } from "./scope.ts";

export interface SubscriptionView {
  object: "billing_subscription";
  has_payment_method: true;
  /** All that may be spent, what is spent already included. The three are the same. */
  soft_limit_usd: number;
  hard_limit_usd: number;
  system_hard_limit_usd: number;
  /** When the key expires, in Unix seconds; 0 when it does not. */
  access_until: number;
}

const microsPerUsd = 1_000_000;
/** What gateways of this kind say for no limit: the field has no other word for it. */
const unlimitedUsd = 100_000_000;

export async function readSubscription(
  parts: BillingParts,
  caller: Caller,
): Promise<SubscriptionView> {
  const { limitMicros } = await findScope(parts, caller);
  const limitUsd = limitMicros === null ? unlimitedUsd : limitMicros / microsPerUsd;
  return {
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: limitUsd,
    hard_limit_usd: limitUsd,
    system_hard_limit_usd: limitUsd,
    access_until: caller.expiresAtMs === null ? 0 : toSeconds(caller.expiresAtMs),
  };
}
