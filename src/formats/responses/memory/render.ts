// A remembered response as the vendor of this format shows the ones that it stores.
import { invalid } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { KeptReply } from "../../recollection.ts";
import { isMessage } from "../read.ts";

const limitDefault = 20;
const limitMax = 100;

export function renderResponse({ head, items }: KeptReply): JsonObject {
  return { ...head, output: items };
}

export function renderDeleted(id: string): JsonObject {
  return { id, object: "response", deleted: true };
}

/** One page of what was said before a response; the newest first unless asked for otherwise. */
export function renderInput(id: string, input: readonly Json[], query: string): JsonObject {
  const params = new URLSearchParams(query);
  const limit = Number(params.get("limit") ?? limitDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw invalid("limit", `must be a whole number from 1 to ${limitMax}`);
  }
  const items = input.filter(isObject).map((item, at) => renderItem(item, `${id}_${at}`));
  if (params.get("order") !== "asc") items.reverse();
  const after = params.get("after");
  const from = after === null ? 0 : items.findIndex((item) => item["id"] === after) + 1;
  if (after !== null && from === 0) throw invalid("after", "is no item of this list");
  const page = items.slice(from, from + limit);
  return {
    object: "list",
    data: page,
    first_id: page.at(0)?.["id"] ?? null,
    last_id: page.at(-1)?.["id"] ?? null,
    has_more: from + limit < items.length,
  };
}

/** Clients leave out what the vendor fills in: ids, and the longer form of a message. */
function renderItem(item: JsonObject, name: string): JsonObject {
  if (!isMessage(item)) return { id: `item_${name}`, ...item };
  const { content, role } = item;
  const type = role === "assistant" ? "output_text" : "input_text";
  const parts = typeof content === "string" ? [{ type, text: content }] : content;
  return { id: `msg_${name}`, status: "completed", ...item, type: "message", content: parts };
}
