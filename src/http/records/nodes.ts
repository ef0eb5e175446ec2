// The route of the nodes.
import type { NodeNeeds } from "../../admin/node/list.ts";
import { nodeVerbs } from "../../admin/node/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function nodeRoutes(needs: NodeNeeds): ControlRoute[] {
  return routesOf(needs, nodeVerbs);
}
