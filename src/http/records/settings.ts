// The routes of the settings.
import type { SettingNeeds } from "../../admin/setting/needs.ts";
import { settingVerbs } from "../../admin/setting/verbs.ts";
import { rowsWith } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function settingRoutes(needs: SettingNeeds): ControlRoute[] {
  const setting = rowsWith(needs);
  return [
    setting("GET", "/api/setting", "admin", settingVerbs.read),
    setting("POST", "/api/setting/reload", "admin", settingVerbs.reload),
  ];
}
