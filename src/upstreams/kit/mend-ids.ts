// Vendors bound the ids of calls each in their own way, and some refuse those of a conversation
// that another vendor's model began. It is tried once more with ids that fit all of them: nine
// letters and digits, the same every time for the same id.
import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";

const spokenOf = /tool[_ ]?call[_ ]?id|tool_calls\W+\d+\W+id|tool_use(?:_id|\.id)|call_id/i;
const refused = /pattern|length|too long|must be|invalid|expected/i;
const plain = /^[A-Za-z0-9]{9}$/;

/** Null when the refusal is about something else, or every id is plain already. */
export function mendIds(
  body: JsonObject,
  { status, param, message }: RequestFault,
): JsonObject | null {
  const words = `${param ?? ""} ${message}`;
  if (status !== 400 || !spokenOf.test(words) || !refused.test(message)) return null;
  let isMended = false;
  const alias = (id: Json | undefined): Json | undefined => {
    if (typeof id !== "string" || plain.test(id)) return id;
    isMended = true;
    return createHash("sha256").update(id).digest("hex").slice(0, 9);
  };
  const { messages, input } = body;
  const mended = { ...body };
  if (Array.isArray(messages)) mended["messages"] = messages.map((one) => inMessage(one, alias));
  if (Array.isArray(input)) mended["input"] = input.map((item) => renamed(item, "call_id", alias));
  return isMended ? mended : null;
}

type Alias = (id: Json | undefined) => Json | undefined;

function inMessage(message: Json, alias: Alias): Json {
  const named = renamed(message, "tool_call_id", alias);
  if (!isObject(named)) return named;
  const { tool_calls: calls, content } = named;
  return {
    ...named,
    ...(Array.isArray(calls) && { tool_calls: calls.map((call) => renamed(call, "id", alias)) }),
    ...(Array.isArray(content) && { content: content.map((block) => inBlock(block, alias)) }),
  };
}

function inBlock(block: Json, alias: Alias): Json {
  if (!isObject(block)) return block;
  if (block["type"] === "tool_use") return renamed(block, "id", alias);
  return block["type"] === "tool_result" ? renamed(block, "tool_use_id", alias) : block;
}

function renamed(holder: Json, name: string, alias: Alias): Json {
  if (!isObject(holder) || typeof holder[name] !== "string") return holder;
  return { ...holder, [name]: alias(holder[name]) };
}
