// A value of a setting as one reads it in the file.
import type { Value } from "./api.ts";

export function textOf(value: Value): string {
  if (value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
