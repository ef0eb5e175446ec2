// The amount that may be spent, in the words that clients of OpenAI's old dashboard know.
import type { Caller } from "../../identity/caller.ts";
import { toSeconds } from "../input.ts";
import type { SubscriptionView } from "./contract.ts";
import { findScope, type BillingNeeds } from "./scope.ts";

const microsPerUsd = 1_000_000;
/** The usual amount of such gateways for no limit: the field has no other word for it. */
const unlimitedUsd = 100_000_000;

export async function readSubscription(
  needs: BillingNeeds,
  caller: Caller,
): Promise<SubscriptionView> {
  const { limitMicros } = await findScope(needs, caller);
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
