// The names in a vendor's list of models.
import { isObject, type Json } from "../../core/json.ts";

export function namesIn(list: Json, field: string): string[] {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  const names = items.map((item) => item[field]);
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))].map(String);
}
