// The routes about what vendors made and who was told: tasks, callbacks and assets, each of which
// can be looked at whole and acted on.
import { ownAssetVerbs } from "../../admin/asset/verbs.ts";
import type { AssetNeeds } from "../../admin/asset/own.ts";
import type { TaskWorkNeeds } from "../../admin/task/needs.ts";
import { taskVerbs } from "../../admin/task/verbs.ts";
import type { CallbackNeeds } from "../../admin/webhook/needs.ts";
import { webhookVerbs } from "../../admin/webhook/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export interface WorkNeeds {
  tasks: TaskWorkNeeds;
  callbacks: CallbackNeeds;
  assets: AssetNeeds;
}

export function workRoutes(needs: WorkNeeds): ControlRoute[] {
  return [
    ...routesOf(needs.tasks, taskVerbs),
    ...routesOf(needs.callbacks, webhookVerbs),
    ...routesOf(needs.assets, ownAssetVerbs),
  ];
}
