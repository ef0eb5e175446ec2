// Chat has no field of its own for thoughts, and strict vendors refuse those that others read. A
// request is tried once more without the field that such a vendor names.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";

const statuses: ReadonlySet<number> = new Set([400, 422]);
const isUnknown =
  /un(?:supported|known|recogni[sz]ed|expected)|not (?:be )?(?:supported|allowed|permitted)|extra/i;
/** `reasoning` alone is also a parameter of the request. */
const thoughtField = /reasoning_(?:content|details)|messages\b.{0,200}\breasoning\b/is;
const turnReasoning = /property .?reasoning\b/i;
const thoughtFields: ReadonlySet<string> = new Set([
  "reasoning_content",
  "reasoning_details",
  "reasoning",
]);

/** Null when the refusal is about something else, or nothing would be left out. */
export function mendChat(
  body: JsonObject,
  { status, param, message }: RequestFault,
): JsonObject | null {
  const words = `${param ?? ""} ${message}`;
  if (!statuses.has(status) || !isUnknown.test(words)) return null;
  const { stream_options: options, ...rest } = body;
  // Without it a vendor reports no usage, which is counted then.
  if (/stream_options/.test(words)) return options === undefined ? null : rest;
  if (/extra_content/.test(words)) return withoutCallExtras(body);
  return thoughtField.test(words) || turnReasoning.test(words) ? withoutThoughts(body) : null;
}

function withoutThoughts(body: JsonObject): JsonObject | null {
  const { messages } = body;
  if (!Array.isArray(messages) || !messages.some(hasThoughts)) return null;
  return { ...body, messages: messages.map(withoutThoughtFields) };
}

/** Google's proof of a thought, on the call that followed it. */
function withoutCallExtras(body: JsonObject): JsonObject | null {
  const { messages } = body;
  let isMended = false;
  const bareCall = (call: Json): Json => {
    if (!isObject(call) || call["extra_content"] === undefined) return call;
    isMended = true;
    const { extra_content: _proof, ...rest } = call;
    return rest;
  };
  if (!Array.isArray(messages)) return null;
  const bare = messages.map((message) =>
    isObject(message) && Array.isArray(message["tool_calls"])
      ? { ...message, tool_calls: message["tool_calls"].map(bareCall) }
      : message,
  );
  return isMended ? { ...body, messages: bare } : null;
}

function hasThoughts(message: Json): message is JsonObject {
  if (!isObject(message) || message["role"] !== "assistant") return false;
  return Object.keys(message).some((name) => thoughtFields.has(name));
}

function withoutThoughtFields(message: Json): Json {
  if (!hasThoughts(message)) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => !thoughtFields.has(name)));
}
