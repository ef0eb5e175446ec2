// What is remembered of a response that was written here. Its items have ids that were made up
// here, and clients go on from them as if a vendor kept them.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { KeptReply } from "../../recollection.ts";
import { inputItems, listOf } from "../read.ts";

/** Null when the client wants nothing stored, and for a response that failed. */
export function keepResponse(body: JsonObject, response: JsonObject): KeptReply | null {
  const { id, status, output } = response;
  const hasEnded = status === "completed" || status === "incomplete";
  if (body["store"] === false || !hasEnded || typeof id !== "string") return null;
  return {
    id,
    head: { ...response, output: [] },
    items: listOf(output).filter(isObject),
    input: inputItems(body["input"]),
  };
}
