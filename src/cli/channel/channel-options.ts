// Channels on the command line: how one is named, and options that differ from their fields.
import { channelCalls } from "../../admin/channel/contract.ts";
import type { OptionTable } from "../options.ts";

export const channelOf = {
  list: channelCalls.list,
  nameField: "name",
  word: ["channel", "its id or name"],
} as const;

export const channelOptions: OptionTable = {
  key: { text: "the vendor's key; - reads it from the standard input" },
  /** They are secrets, and are set by a command of their own. */
  keys: null,
  model_mapping: { value: "public=upstream" },
  surcharges: { value: "kind=word" },
};
