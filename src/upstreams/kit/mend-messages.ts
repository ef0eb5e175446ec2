// Anthropic signs its thinking and refuses what another vendor, or another account of its own, has
// signed. Such a conversation is tried once more without the thinking of earlier turns.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";

const thinkingTypes = new Set<unknown>(["thinking", "redacted_thinking"]);
/**
 * The vendor's words for refused thinking; of encrypted thinking it says that its data is not
 * valid.
 */
const refusedThinking = /signature.*thinking|thinking.*signature|data.*redacted_thinking/is;

/** Nothing but the words of the refusal tells it from others of its status and type. */
export function mendMessages(
  body: JsonObject,
  { status, message }: RequestFault,
): JsonObject | null {
  if (status !== 400 || !refusedThinking.test(message)) return null;
  const { messages } = body;
  if (!Array.isArray(messages) || !messages.some(hasThinking)) return null;
  const mended: JsonObject = {
    ...body,
    messages: messages.map(withoutThinking).filter((message) => !isEmpty(message)),
  };
  // With a budget set, a turn that waits for tool results has to begin with its thinking.
  if (isWithBudget(body["thinking"]) && hasType(messages.at(-1), isToolResult)) {
    delete mended["thinking"];
  }
  return mended;
}

function withoutThinking(message: Json): Json {
  if (!hasThinking(message)) return message;
  return { ...message, content: message.content.filter((block) => !isThinking(block)) };
}

type BlockMessage = JsonObject & { content: Json[] };

function hasThinking(message: Json): message is BlockMessage {
  return hasType(message, isThinking);
}

function hasType(message: Json | undefined, isWanted: (block: Json) => boolean): boolean {
  if (!isObject(message) || !Array.isArray(message["content"])) return false;
  return message["content"].some(isWanted);
}

function isThinking(block: Json): boolean {
  return isObject(block) && thinkingTypes.has(block["type"]);
}

function isToolResult(block: Json): boolean {
  return isObject(block) && block["type"] === "tool_result";
}

/** The vendor wants something in every message. */
function isEmpty(message: Json): boolean {
  return isObject(message) && Array.isArray(message["content"]) && message["content"].length === 0;
}

function isWithBudget(thinking: Json | undefined): boolean {
  return isObject(thinking) && thinking["type"] === "enabled";
}
