// Settings as they go over the wire, and their calls.
import { anything, orNull, text, word } from "../../core/schema-words.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema } from "../contract/basics.ts";

const valueOf = (description: string) => Type.Unsafe<Json>({ ...anything, description });

const StatedView = Type.Object(
  {
    value: valueOf("What a page states, without secrets; null where that was taken back."),
    previous: valueOf("What a page stated before, which an undo brings back; null for nothing."),
    by: orNull(text("Who changed it last; null where that account is gone.")),
    at: momentSchema,
    problem: orNull(text("Why it is left out; null where it fits.")),
  },
  { description: "What was changed on a page." },
);

export const SettingView = Type.Object({
  name: text("As in the file, such as `server.port`, or the name of a variable."),
  value: valueOf("What is in force, without secrets; null where it is not set."),
  default: valueOf("What it is by itself; null where that is nothing."),
  source: word("file", "environment", "page", "default"),
  place: orNull(text("Line of the file, or the variable, that states it and wins over a page.")),
  variable: orNull(text("The environment variable that wins over the file.")),
  description: text("What it does."),
  live: Type.Boolean({ description: "Whether a change holds at once; all else takes a restart." }),
  page: Type.Boolean({ description: "Whether it may be changed here, beside the file." }),
  schema: orNull(
    Type.Unsafe<JsonObject>({
      type: "object",
      description: "JSON Schema of its value, where it may be changed here.",
    }),
  ),
  pending: valueOf("What the next reload or restart makes of it; null where nothing changes."),
  stated: orNull(StatedView),
});
export type SettingView = Static<typeof SettingView>;

export const SettingsView = Type.Object({
  file: orNull(text("The path of the configuration file.")),
  loaded_at: momentSchema,
  items: Type.Array(SettingView, { description: "Every setting there is." }),
});
export type SettingsView = Static<typeof SettingsView>;

const nameField = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "As in the file, such as `site.name`.",
});

const ChangeInput = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          name: nameField,
          value: valueOf("What it becomes; null takes back what a page states."),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 100, description: "Judged together, and made together." },
    ),
  },
  { additionalProperties: false },
);

const UndoInput = Type.Object({ name: nameField }, { additionalProperties: false });

export const ChangedSettings = Type.Object({
  items: Type.Array(SettingView, { description: "Those that were changed, as they are now." }),
});
export type ChangedSettings = Static<typeof ChangedSettings>;

const { call } = callsOf("Settings");

export const settingCalls = {
  read: call("GET /api/setting", "Read the settings that are in force", {
    permission: "settings.read",
    description: "Each with where it comes from. Secrets are left out.",
    answer: SettingsView,
  }),
  change: call("PATCH /api/setting", "Change settings", {
    permission: "settings.change",
    description:
      "What the file or a variable states is stronger and refused here. A secret that is shown " +
      "hidden stays as it is where it is sent back so.",
    body: bodyOf(ChangeInput, { changes: [{ name: "site.name", value: "Our models" }] }),
    answer: ChangedSettings,
  }),
  undo: call("POST /api/setting/undo", "Undo the last change of a setting", {
    permission: "settings.change",
    description: "Once more undoes the undoing.",
    body: bodyOf(UndoInput, { name: "site.name" }),
    answer: ChangedSettings,
  }),
  reload: call("POST /api/setting/reload", "Read the configuration file anew", {
    permission: "settings.write",
    description:
      "What a SIGHUP does: what the file declares, such as channels and prices, and what is live.",
    answer: SettingsView,
  }),
};
export type SettingCalls = typeof settingCalls;
