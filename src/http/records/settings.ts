// The routes of the settings.
import type { SettingNeeds } from "../../admin/setting/needs.ts";
import { settingVerbs } from "../../admin/setting/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function settingRoutes(needs: SettingNeeds): ControlRoute[] {
  return routesOf(needs, settingVerbs);
}
