// Surcharges in fields that chat and legacy completions share.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import {
  spokenTokens,
  type AskedSearch,
  type FieldPath,
  type Surcharge,
  type SurchargeUse,
} from "../surcharge.ts";
import { readCount } from "../usage.ts";
import type { SurchargeList } from "./surcharges.ts";

/** Fields by which the vendors of these wires are told to search, and what one search is. */
const searches: readonly (readonly [field: string, name: string])[] = [
  ["web_search_options", "web_search_preview"],
  ["search_parameters", "search_parameters"],
  ["plugins", "plugins"],
  ["enable_search", "enable_search"],
];

const tierPath: FieldPath = ["service_tier"];

export function findOpenaiSurcharges(body: JsonObject, surchargeList: SurchargeList): void {
  surchargeList.value("service_tier", body["service_tier"], tierPath);
  for (const [field, name] of searches) {
    if (!isAsked(body[field])) continue;
    const tool = uncountedTool(name, [field]);
    surchargeList.add(
      field === "web_search_options" ? { ...tool, search: askedSearch(body) } : tool,
    );
  }
}

function askedSearch({ tools, functions }: JsonObject): AskedSearch {
  const isAlone = [tools, functions].every((list) => !Array.isArray(list) || list.length === 0);
  return { usesMax: null, isAlone };
}

function isAsked(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** No reply of these wires says how often it was called. */
export function uncountedTool(name: string, path: FieldPath): Surcharge {
  const calls = { max: 1, counted: [], readsMore: true };
  return { kind: "hosted_tools", name, param: path.join("."), paths: [path], calls };
}

export function noteOpenaiUse(use: SurchargeUse, body: JsonObject): void {
  use.give("service_tier", body["service_tier"]);
  const { usage } = body;
  const details = isObject(usage) ? usage["completion_tokens_details"] : null;
  const spoken = isObject(details) ? readCount(details["audio_tokens"]) : null;
  if (spoken !== null) use.tell(spokenTokens, spoken);
}
