// Fields at the top of a body by which some vendor or gateway is told to run a tool of its own. The
// wires' own vendors do not have them; what stands behind a channel may.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { FieldPath, Surcharge } from "../../surcharge.ts";
import type { SurchargeList } from "../surcharges.ts";

/** Each with the name of what one call is. */
const toolNames: ReadonlyMap<string, string> = new Map([
  ["web_search_options", "web_search_preview"],
  ["search_parameters", "search_parameters"],
  ["plugins", "plugins"],
  ["enable_search", "enable_search"],
  ["web_search", "tool.web_search"],
  ["enable_web_search", "enable_web_search"],
  ["enable_code_interpreter", "enable_code_interpreter"],
  ["connectors", "connectors"],
  ["bot_setting", "bot_setting"],
]);

export const vendorToolFields: readonly string[] = [...toolNames.keys()];

/** No reply of these wires says how often it was called. */
export function uncountedTool(name: string, path: FieldPath): Surcharge {
  const calls = { max: 1, counted: [], readsMore: true };
  return { kind: "hosted_tools", name, param: path.join("."), paths: [path], calls };
}

/** `describe` may say more of a tool, such as that it is a search which other wires have too. */
export function findVendorToolFields(
  body: JsonObject,
  list: SurchargeList,
  describe: (field: string, tool: Surcharge) => Surcharge = (_field, tool) => tool,
): void {
  for (const [field, name] of toolNames) {
    if (isOn(body[field])) list.add(describe(field, uncountedTool(name, [field])));
  }
}

function isOn(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return value["enable"] !== false && value["enabled"] !== false;
  return value !== undefined && value !== null && value !== false;
}
