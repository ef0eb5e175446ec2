// Health of the models: for admins, or for anybody where the operator shows it.
import { healthCalls } from "../../admin/health/contract.ts";
import { PublicHealth } from "../../admin/health/read.ts";
import { healthVerbs } from "../../admin/health/verbs.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import type { RecordNeeds } from "../../admin/record-needs.ts";
import { routesOf, succeed } from "../control-route.ts";
import type { PublicRoute, Route } from "../route.ts";

export function modelsHealthRoutes(
  needs: RecordNeeds,
  { showsStatus }: { showsStatus: boolean },
): Route[] {
  return showsStatus ? [publicRoute(needs)] : routesOf(needs, healthVerbs);
}

function publicRoute(needs: RecordNeeds): PublicRoute {
  const { readModels } = healthCalls;
  const health = new PublicHealth(needs);
  return {
    method: "GET",
    path: "/api/health/models",
    entry: readModels,
    policy: "public",
    envelope: "session",
    async serve(incoming) {
      const query = parseQuery(readModels.query, incoming.query);
      return succeed(await health.read(query));
    },
  };
}
