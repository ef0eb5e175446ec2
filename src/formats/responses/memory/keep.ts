// Memory of a response that no vendor keeps: one that was written here, with ids that were made up
// here, or one that its vendor did not store. Clients go on from both alike.
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

/** A vendor that stores nothing takes reasoning back encrypted, and looks for it otherwise. */
function withoutLost(item: JsonObject): JsonObject {
  const { type, id, encrypted_content: encrypted } = item;
  if (type !== "reasoning" || typeof encrypted === "string") return item;
  return { type, summary: [], ...(id === undefined ? null : { id }) };
}

export function reopenResponse(body: JsonObject | null, response: JsonObject): KeptReply {
  return {
    id: String(response["id"]),
    head: { ...response, output: [] },
    items: listOf(response["output"])
      .filter(isObject)
      .map((item) => (response["store"] === false ? withoutLost(item) : item)),
    input: body && inputItems(body["input"]),
  };
}
