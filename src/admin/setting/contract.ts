// Settings as they go over the wire, and their calls.
import { anything, orNull, text, word } from "../../core/schema-words.ts";
import type { Json } from "../../core/json.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { momentSchema } from "../contract/basics.ts";

const valueOf = (description: string) => Type.Unsafe<Json>({ ...anything, description });

export const SettingView = Type.Object({
  name: text("As in the file, such as `server.port`, or the name of a variable."),
  value: valueOf("What is in force, without secrets; null where it is not set."),
  default: valueOf("What it is by itself; null where that is nothing."),
  source: word("file", "environment", "default"),
  variable: orNull(text("The environment variable that wins over the file.")),
  description: text("What it does."),
  live: Type.Boolean({ description: "Whether a reload changes it; all else takes a restart." }),
  pending: valueOf("What a restart would make of it, where the file says otherwise by now."),
});
export type SettingView = Static<typeof SettingView>;

export const SettingsView = Type.Object({
  file: orNull(text("The path of the configuration file.")),
  loaded_at: momentSchema,
  items: Type.Array(SettingView, { description: "Every setting there is." }),
});
export type SettingsView = Static<typeof SettingsView>;

const { call } = callsOf("Settings");

export const settingCalls = {
  read: call("GET /api/setting", "Read the settings that are in force", {
    role: "admin",
    description: "Each with where it comes from. Secrets are left out.",
    answer: SettingsView,
  }),
  reload: call("POST /api/setting/reload", "Read the configuration file anew", {
    role: "admin",
    description: "What a SIGHUP does: groups, channels, prices and keys that the file declares.",
    answer: SettingsView,
  }),
};
export type SettingCalls = typeof settingCalls;
