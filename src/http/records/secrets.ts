// The routes of the gateway's own secret.
import type { SecretNeeds } from "../../admin/secret/needs.ts";
import { secretVerbs } from "../../admin/secret/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function secretRoutes(needs: SecretNeeds): ControlRoute[] {
  return routesOf(needs, secretVerbs);
}
