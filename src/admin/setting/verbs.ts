// Settings: each call with its function.
import { bind } from "../bind.ts";
import { changeSettings, undoSetting } from "./change.ts";
import { settingCalls } from "./contract.ts";
import { readSettingViews, reloadSettings } from "./settings.ts";

export const settingVerbs = bind(settingCalls, {
  read: readSettingViews,
  change: changeSettings,
  undo: undoSetting,
  reload: reloadSettings,
});
