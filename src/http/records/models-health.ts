// Health of the models: for people by what they reach, and for visitors where that is shown.
import { ShownHealth, type HealthNeeds } from "../../admin/health/shown.ts";
import { healthVerbs } from "../../admin/health/verbs.ts";
import { siteCalls } from "../../admin/site/contract.ts";
import { openRow, routesOf, succeed } from "../control-route.ts";
import type { Route } from "../route.ts";

export function modelsHealthRoutes(needs: HealthNeeds): Route[] {
  const shown = new ShownHealth(needs);
  return [
    ...routesOf(shown, healthVerbs),
    openRow("public", siteCalls.readHealth, async ({ query }) =>
      succeed(await shown.forVisitors(query)),
    ),
  ];
}
