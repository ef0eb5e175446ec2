// What is done with settings, and what the reference says of it.
import { verbsOf } from "../verb.ts";
import { SettingsView } from "./contract.ts";
import { readSettingViews, reloadSettings } from "./settings.ts";

const { verb } = verbsOf("Settings");

export const settingVerbs = {
  read: verb("Read the settings that are in force", "nothing", readSettingViews, {
    description: "Each with where it comes from. Secrets are left out.",
    answer: SettingsView,
  }),
  reload: verb("Read the configuration file anew", "nothing", reloadSettings, {
    description: "What a SIGHUP does: groups, channels, prices and keys that the file declares.",
    answer: SettingsView,
  }),
};
