// A key's allowance and spending, in the words that clients of OpenAI's old dashboard know.
import { text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { parseDayAlone } from "../span.ts";

export const SubscriptionView = Type.Object({
  object: Type.Literal("billing_subscription"),
  has_payment_method: Type.Boolean(),
  /** All that may be spent, what is spent already included. The three are the same. */
  soft_limit_usd: Type.Number(),
  hard_limit_usd: Type.Number(),
  system_hard_limit_usd: Type.Number(),
  access_until: whole("Unix seconds; 0 when the key does not expire."),
});
export type SubscriptionView = Static<typeof SubscriptionView>;

const DailyCost = Type.Object({
  /** Start of the day, in Unix seconds. */
  timestamp: Type.Number(),
  /** Cost by model. */
  line_items: Type.Array(Type.Object({ name: text(), cost: Type.Number() })),
});
export type DailyCost = Static<typeof DailyCost>;

export const BillingUsageView = Type.Object({
  object: Type.Literal("list"),
  total_usage: Type.Number({ description: "In cents." }),
  daily_costs: Type.Array(DailyCost),
});
export type BillingUsageView = Static<typeof BillingUsageView>;

export const billingUsageQuery = {
  start_date: { schema: text("Such as 2026-11-01."), read: parseDayAlone },
  end_date: { schema: text("The first day after."), read: parseDayAlone },
};
