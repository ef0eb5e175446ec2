// The conversation for a messages upstream. The vendor wants a user first, texts that are more than
// blanks, and instructions nowhere but at the top.
import type { JsonObject } from "../../core/json.ts";
import type { CacheMark, CallPart, Part, ReasoningPart, ResultPart, Turn } from "../exchange.ts";
import { encodeMedia } from "./encode-media.ts";
import { writeCache } from "./wire/cache.ts";
import { toToolInput } from "../kit/claude/tools.ts";

export interface EncodedMessage extends JsonObject {
  role: "user" | "assistant";
  content: JsonObject[];
}

/** The user's words where the client lets the conversation begin with the assistant. */
const opening = "Begin.";
/** Strict upstreams refuse a document without a word about it. */
const documentRemark = "See the document.";

export function encodeTurns(turns: readonly Turn[]): EncodedMessage[] {
  const messages: EncodedMessage[] = [];
  for (const { role, parts } of turns) {
    if (role === "system") continue;
    const content = parts.flatMap((part) => encodePart(part, role));
    if (content.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  if (messages[0]?.role !== "user") messages.unshift({ role: "user", content: [toText(opening)] });
  for (const { role, content } of messages) {
    const isBare = role === "user" && content.every(({ type }) => type === "document");
    if (isBare) content.push(toText(documentRemark));
  }
  trimPrefill(messages);
  return messages;
}

/** Instructions from anywhere in the conversation, in their order. */
export function encodeSystem(parts: readonly Part[]): JsonObject[] {
  return parts.flatMap((part) => (part.kind === "text" ? encodeText(part) : []));
}

function encodePart(part: Part, role: "user" | "assistant"): JsonObject[] {
  switch (part.kind) {
    case "text":
    case "refusal":
      return encodeText(part);
    case "media":
      return [encodeMedia(part, role)];
    case "reasoning":
      return encodeReasoning(part);
    case "call":
      return [encodeCall(part)];
    case "result":
      return [encodeResult(part)];
  }
}

function encodeText(part: { text: string; cache?: CacheMark }): JsonObject[] {
  return part.text.trim() === "" ? [] : [{ ...toText(part.text), ...writeCache(part) }];
}

function toText(text: string): JsonObject {
  return { type: "text", text };
}

/** Only what the vendor signed itself is sent back, exactly as it was. */
function encodeReasoning({ text, proof, isRedacted }: ReasoningPart): JsonObject[] {
  if (proof?.dialect !== "messages" || proof.data === "") return [];
  if (isRedacted) return [{ type: "redacted_thinking", data: proof.data }];
  return [{ type: "thinking", thinking: text, signature: proof.data }];
}

function encodeCall(call: CallPart): JsonObject {
  const { id, name } = call;
  return { type: "tool_use", id, name, input: toToolInput(call), ...writeCache(call) };
}

function encodeResult(result: ResultPart): JsonObject {
  const content = result.content.flatMap((part) =>
    part.kind === "text" ? encodeText(part) : [encodeMedia(part, "user")],
  );
  const encoded: JsonObject = { type: "tool_result", tool_use_id: result.callId };
  if (content.length > 0) encoded["content"] = content;
  if (result.isError) encoded["is_error"] = true;
  return { ...encoded, ...writeCache(result) };
}

/** The beginning of an answer may not end in blanks. */
function trimPrefill(messages: readonly EncodedMessage[]): void {
  const last = messages.at(-1);
  const block = last?.role === "assistant" ? last.content.at(-1) : undefined;
  const text = block?.["text"];
  if (block && typeof text === "string") block["text"] = text.trimEnd();
}
