// The routes about what vendors made and who was told: tasks, callbacks and assets, each of which
// can be looked at whole and acted on.
import { assetVerbs } from "../../admin/asset/verbs.ts";
import type { AssetNeeds } from "../../admin/asset/own.ts";
import type { TaskWorkNeeds } from "../../admin/task/needs.ts";
import { taskVerbs } from "../../admin/task/verbs.ts";
import type { CallbackNeeds } from "../../admin/webhook/needs.ts";
import { webhookVerbs } from "../../admin/webhook/verbs.ts";
import { routesOf, rowsWith } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export interface WorkNeeds {
  tasks: TaskWorkNeeds;
  callbacks: CallbackNeeds;
  assets: AssetNeeds;
}

export function workRoutes(needs: WorkNeeds): ControlRoute[] {
  const { tasks, callbacks, assets } = needs;
  const asset = rowsWith(assets);
  return [
    ...routesOf(tasks, taskVerbs),
    ...routesOf(callbacks, webhookVerbs),
    asset("GET", "/api/asset", "user", assetVerbs.listOwn),
    asset("POST", "/api/asset", "user", assetVerbs.add),
    asset("POST", "/api/asset/upload", "user", assetVerbs.upload),
    asset("GET", "/api/asset/{id}", "user", assetVerbs.read),
    asset("DELETE", "/api/asset/{id}", "user", assetVerbs.remove),
  ];
}
