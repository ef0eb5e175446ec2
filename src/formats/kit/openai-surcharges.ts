// Surcharges in fields that chat and legacy completions share.
import { isObject, type JsonObject } from "../../core/json.ts";
import { spokenTokens, type AskedSearch, type FieldPath, type SurchargeUse } from "../surcharge.ts";
import { readCount } from "../usage.ts";
import type { SurchargeList } from "./surcharges.ts";
import { findVendorToolFields } from "./resellers/vendor-tool-fields.ts";

const tierPath: FieldPath = ["service_tier"];

export function findOpenaiSurcharges(body: JsonObject, surchargeList: SurchargeList): void {
  surchargeList.value("service_tier", body["service_tier"], tierPath);
  findVendorToolFields(body, surchargeList, (field, tool) =>
    field === "web_search_options" ? { ...tool, search: askedSearch(body) } : tool,
  );
}

function askedSearch({ tools, functions }: JsonObject): AskedSearch {
  const isAlone = [tools, functions].every((list) => !Array.isArray(list) || list.length === 0);
  return { usesMax: null, isAlone };
}

export function noteOpenaiUse(use: SurchargeUse, body: JsonObject): void {
  use.give("service_tier", body["service_tier"]);
  const { usage } = body;
  const details = isObject(usage) ? usage["completion_tokens_details"] : null;
  const spoken = isObject(details) ? readCount(details["audio_tokens"]) : null;
  if (spoken !== null) use.tell(spokenTokens, spoken);
}
