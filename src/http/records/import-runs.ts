// The routes of imports that the gateway runs by itself.
import type { ImportRunNeeds } from "../../admin/import-run/needs.ts";
import { importRunVerbs } from "../../admin/import-run/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function importRunRoutes(needs: ImportRunNeeds): ControlRoute[] {
  return routesOf(needs, importRunVerbs);
}
