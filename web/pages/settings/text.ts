// A value of a setting as one reads it in the file.
import type { SettingView } from "../../../src/admin/contract.ts";

export type Value = SettingView["value"];

export function textOf(value: Value): string {
  if (value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
