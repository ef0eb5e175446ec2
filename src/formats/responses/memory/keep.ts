// What is remembered of a response that was written here. Its items have ids that were made up
// here, and clients go on from them as if a vendor kept them.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { KeptNames, KeptReply } from "../../recollection.ts";
import { inputItems, listOf } from "../read.ts";

/** Null when the client wants nothing stored, and for a response that failed. */
export function keepResponse(body: JsonObject, response: JsonObject): KeptNames | null {
  const { id, status, output } = response;
  const hasEnded = status === "completed" || status === "incomplete";
  if (body["store"] === false || !hasEnded || typeof id !== "string") return null;
  const itemIds = listOf(output).flatMap((item) =>
    isObject(item) && typeof item["id"] === "string" ? [item["id"]] : [],
  );
  return { id, itemIds };
}

export function reopenResponse(body: JsonObject | null, response: JsonObject): KeptReply {
  return {
    id: String(response["id"]),
    head: { ...response, output: [] },
    items: listOf(response["output"]).filter(isObject),
    input: body && inputItems(body["input"]),
  };
}
