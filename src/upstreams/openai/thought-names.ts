// Thoughts of earlier turns, under the name that this vendor reads them by.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { thoughtWordsAt, type ThoughtWords } from "../vendor-words.ts";

const names = ["reasoning_content", "reasoning"] as const;

/** The body of a chat as it goes to this address. */
export function withThoughtNames(body: JsonObject, model: string, baseUrl: string): JsonObject {
  const words = thoughtWordsAt(baseUrl);
  const { messages } = body;
  if (!words || !Array.isArray(messages)) return body;
  const name = model.toLowerCase();
  if (words.isTakenBy?.test(name) === false) {
    return { ...body, messages: messages.map(withoutThoughts) };
  }
  const isNeeded = words.isNeededBy?.test(name) === true && hasTools(body);
  return { ...body, messages: messages.map((message) => renamed(message, words, isNeeded)) };
}

function hasTools({ tools }: JsonObject): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

function withoutThoughts(message: Json): Json {
  if (!isObject(message) || message["role"] !== "assistant") return message;
  const { reasoning_content: _content, reasoning: _text, ...rest } = message;
  return rest;
}

function renamed(message: Json, { name }: ThoughtWords, isNeeded: boolean): Json {
  if (!isObject(message) || message["role"] !== "assistant") return message;
  if (message[name] !== undefined) return message;
  const other = names.find((known) => typeof message[known] === "string");
  if (other === undefined) return isNeeded ? { ...message, [name]: "" } : message;
  const { [other]: thoughts = "", ...rest } = message;
  return { ...rest, [name]: thoughts };
}
