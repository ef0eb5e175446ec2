// A search for tools that the client does itself. Other dialects take it for a function of that
// name, which returns the names of what was found.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { readOffers, searchName } from "./offer.ts";

/** An item of such a search as one of a function; null when it was the vendor that searched. */
export function toFunctionItem(item: JsonObject): JsonObject | null {
  const { type, call_id: callId, execution } = item;
  if (execution !== "client" || typeof callId !== "string") return null;
  if (type === "tool_search_call") {
    const text = JSON.stringify(item["arguments"] ?? {});
    return { type: "function_call", call_id: callId, name: searchName, arguments: text };
  }
  const names = readOffers(item["tools"], "tools", []).map(({ name }) => name);
  const output =
    names.length === 0 ? "No tool was found." : `These can be called now: ${names.join(", ")}`;
  return { type: "function_call_output", call_id: callId, output };
}

/** The call of such a function as the client wants to read it. */
export function toSearchItem({ id, status, call_id: callId, ...call }: JsonObject): JsonObject {
  const shared = { id, type: "tool_search_call", status, call_id: callId, execution: "client" };
  return { ...shared, arguments: readArguments(call["arguments"]) };
}

/** They are no text here, and while they come in there are none. */
function readArguments(text: Json | undefined): JsonObject {
  try {
    const read: unknown = JSON.parse(String(text));
    return isObject(read) ? read : {};
  } catch {
    return {};
  }
}
