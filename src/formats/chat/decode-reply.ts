// A chat upstream's whole reply: read as a stream that came in one piece.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Reply } from "../exchange.ts";
import { foldParts } from "../kit/fold.ts";
import { ChatStreamDecoder } from "./decode-stream.ts";

/** Null when the body is not a chat completion. */
export function decodeChatReply(body: unknown): Reply | null {
  if (!isObject(body) || !Array.isArray(body["choices"])) return null;
  const choices = body["choices"].map(toDelta).filter((choice) => choice !== null);
  if (choices.length === 0) return null;
  const decoder = new ChatStreamDecoder();
  return foldParts([...decoder.read({ ...body, choices }), ...decoder.end()]);
}

function toDelta(choice: Json, place: number): JsonObject | null {
  if (!isObject(choice) || !isObject(choice["message"])) return null;
  const { message, index = place } = choice;
  const calls = message["tool_calls"];
  const numbered = Array.isArray(calls)
    ? calls.map((call, at) => (isObject(call) ? { ...call, index: at } : call))
    : null;
  return { ...choice, index, delta: { ...message, tool_calls: numbered } };
}
