// The routes of OpenAI's old dashboard, by which clients show what a key may spend and has spent.
import { readSubscription } from "../../admin/billing/subscription.ts";
import { readBillingUsage } from "../../admin/billing/usage.ts";
import type { BillingParts } from "../../admin/billing/scope.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import type { KeyRoute } from "../route.ts";

/** Some clients put all that they ask for below the address of the models. */
const bases = ["/dashboard/billing", "/v1/dashboard/billing"];

export function billingRoutes(parts: BillingParts): KeyRoute[] {
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
      serve: async (_incoming, { caller }) => uncached(await readSubscription(parts, caller)),
    },
    {
      ...free,
      path: `${base}/usage`,
      serve: async ({ query }, { caller }) =>
        uncached(await readBillingUsage(parts, caller, query)),
    },
  ]);
}

function uncached(body: object): Answer {
  return { ...jsonAnswer(body), headers: { "cache-control": "no-store" } };
}
