// Surcharges in fields that chat and legacy completions share.
import type { Json, JsonObject } from "../../core/json.ts";
import type { FieldPath, Surcharge, SurchargeUse } from "../surcharge.ts";
import type { SurchargeList } from "./surcharges.ts";

/** Fields by which the vendors of these wires are told to search, and what one search is. */
const searches: readonly (readonly [field: string, name: string])[] = [
  ["web_search_options", "web_search_preview"],
  ["search_parameters", "search_parameters"],
  ["plugins", "plugins"],
  ["enable_search", "enable_search"],
];

export function findOpenaiSurcharges(body: JsonObject, found: SurchargeList): void {
  found.value("service_tier", body["service_tier"], ["service_tier"]);
  for (const [field, name] of searches) {
    if (isAsked(body[field])) found.add(uncountedTool(name, [field]));
  }
}

function isAsked(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** No reply of these wires says how often it was called. */
export function uncountedTool(name: string, path: FieldPath): Surcharge {
  const calls = { max: 1, counted: [], readsMore: true };
  return { kind: "hosted_tools", name, param: path.join("."), paths: [path], calls };
}

export function noteOpenaiTier(use: SurchargeUse, body: JsonObject): void {
  use.give("service_tier", body["service_tier"]);
}
