// A request with the items and the conversation that it refers to in their place. What is not
// remembered stays as it is: a vendor of this dialect may know it.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Recalled, Recollection } from "../../recollection.ts";
import { inputItems, listOf } from "../read.ts";

export function recallResponses(body: JsonObject, recollection: Recollection): Recalled | null {
  const { previous_response_id: previous, ...rest } = body;
  const isBound = typeof previous === "string";
  const before = isBound ? recollection.findConversation(previous) : null;
  const own = recallItems(listOf(body["input"]), recollection);
  if (isBound && before) {
    const worthSaying = before.filter(isWorthSaying);
    const input = [...worthSaying, ...(own ?? inputItems(body["input"]))];
    // The conversation goes on without its earlier instructions, as with the vendor.
    const earlier = { replyId: previous, itemCount: worthSaying.length };
    return { body: { ...rest, input }, earlier };
  }
  return own && { body: { ...body, input: own }, earlier: null };
}

/** Null when there is nothing to put in. */
function recallItems(items: readonly Json[], recollection: Recollection): Json[] | null {
  let isChanged = false;
  const recalled = items.flatMap((item) => {
    const id = referenceIn(item);
    const stored = id === null ? null : recollection.findItem(id);
    isChanged ||= stored !== null;
    return stored ? [stored].filter(isWorthSaying) : [item];
  });
  return isChanged ? recalled : null;
}

/** A reasoning of which nothing is left says nothing to anybody. */
function isWorthSaying(item: Json): boolean {
  if (!isObject(item) || item["type"] !== "reasoning") return true;
  const { summary, content, encrypted_content: encrypted } = item;
  return typeof encrypted === "string" || listOf(summary).length + listOf(content).length > 0;
}

function referenceIn(item: Json): string | null {
  if (!isObject(item) || item["type"] !== "item_reference") return null;
  return typeof item["id"] === "string" ? item["id"] : null;
}
