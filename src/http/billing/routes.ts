// The routes of OpenAI's old dashboard, by which clients show what a key may spend and has spent.
import { readSubscription } from "../../admin/billing/subscription.ts";
import {
  billingUsageQuery,
  BillingUsageView,
  SubscriptionView,
} from "../../admin/billing/contract.ts";
import { readBillingUsage } from "../../admin/billing/usage.ts";
import type { BillingNeeds } from "../../admin/billing/scope.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import type { KeyRoute } from "../route.ts";

/** Some clients put all that they ask for below the address of the models. */
const bases = ["/dashboard/billing", "/v1/dashboard/billing"];

const subscriptionEntry: ReferenceEntry = {
  tag: "Billing",
  summary: "What the key, or its account, may spend",
  answer: SubscriptionView,
};
const usageEntry: ReferenceEntry = {
  tag: "Billing",
  summary: "What the key, or its account, has spent",
  // Old dashboards add parameters of their own.
  takesAnyQuery: true,
  query: billingUsageQuery,
  answer: BillingUsageView,
};

export function billingRoutes(needs: BillingNeeds): KeyRoute[] {
  const free = {
    method: "GET",
    policy: "key",
    carriers: ["bearer"],
    envelope: "a",
    isPaid: false,
  } as const;
  return bases.flatMap((base): KeyRoute[] => [
    {
      ...free,
      path: `${base}/subscription`,
      entry: subscriptionEntry,
      serve: async (_incoming, { caller }) => uncached(await readSubscription(needs, caller)),
    },
    {
      ...free,
      path: `${base}/usage`,
      entry: usageEntry,
      serve: async ({ query }, { caller }) =>
        uncached(await readBillingUsage(needs, caller, parseQuery(billingUsageQuery, query))),
    },
  ]);
}

export function uncached(body: object): Answer {
  return { ...jsonAnswer(body), headers: { "cache-control": "no-store" } };
}
