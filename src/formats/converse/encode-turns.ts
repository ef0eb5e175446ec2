// The conversation for Converse. It wants a user first, texts that are more than blanks, a word
// beside every document, and marks of the cache behind what they mark.
import type { JsonObject } from "../../core/json.ts";
import type { CacheMark, Part, ReasoningPart, ResultPart, TextPart, Turn } from "../exchange.ts";
import { toToolInput } from "../kit/claude/tools.ts";
import { encodeMedia, newDocumentNames } from "./encode-media.ts";

interface EncodedMessage extends JsonObject {
  role: "user" | "assistant";
  content: JsonObject[];
}

/** The user's word where the client lets the conversation begin with the assistant. */
const opening = "Begin.";
const documentRemark = "See the document.";
/** Stands for the result of a tool that said nothing, which may not be left out. */
const noWords = "(nothing)";

export class TurnEncoder {
  readonly #takesCachePoints: boolean;
  readonly #names = newDocumentNames();

  constructor(takesCachePoints: boolean) {
    this.#takesCachePoints = takesCachePoints;
  }

  encode(turns: readonly Turn[]): EncodedMessage[] {
    const messages: EncodedMessage[] = [];
    for (const { role, parts } of turns) {
      if (role === "system") continue;
      const content = parts.flatMap((part) => this.#encodePart(part));
      if (content.length === 0) continue;
      const last = messages.at(-1);
      if (last?.role === role) last.content.push(...content);
      else messages.push({ role, content });
    }
    if (messages[0]?.role !== "user") messages.unshift({ role: "user", content: [say(opening)] });
    for (const { role, content } of messages) {
      const isBare = role === "user" && hasDocument(content) && !content.some(isText);
      if (isBare) content.push(say(documentRemark));
    }
    trimPrefill(messages);
    return messages;
  }

  /** Instructions, or tools of which some are marked. */
  encodeSystem(parts: readonly Part[]): JsonObject[] {
    return parts.flatMap((part) => (part.kind === "text" ? this.#encodeText(part) : []));
  }

  /** A block and the mark behind it. */
  marked(block: JsonObject, { cache }: { cache?: CacheMark }): JsonObject[] {
    if (!cache || !this.#takesCachePoints) return [block];
    const mark: JsonObject = { type: "default" };
    if (cache.ttl !== null) mark["ttl"] = cache.ttl;
    return [block, { cachePoint: mark }];
  }

  #encodePart(part: Part): JsonObject[] {
    switch (part.kind) {
      case "text":
      case "refusal":
        return this.#encodeText(part);
      case "media":
        return this.marked(encodeMedia(part, this.#names), part);
      case "reasoning":
        return encodeReasoning(part);
      case "call": {
        const { id: toolUseId, name } = part;
        return this.marked({ toolUse: { toolUseId, name, input: toToolInput(part) } }, part);
      }
      case "result":
        return this.marked(this.#encodeResult(part), part);
    }
  }

  #encodeText(part: { text: string; cache?: CacheMark }): JsonObject[] {
    return part.text.trim() === "" ? [] : this.marked(say(part.text), part);
  }

  #encodeResult({ callId: toolUseId, content, isError }: ResultPart): JsonObject {
    const blocks = content.flatMap((part) => this.#encodeContent(part));
    if (blocks.length === 0) blocks.push(say(noWords));
    return { toolResult: { toolUseId, content: blocks, ...(isError && { status: "error" }) } };
  }

  #encodeContent(part: ResultPart["content"][number]): JsonObject[] {
    if (part.kind === "media") return [encodeMedia(part, this.#names)];
    return isBlank(part) ? [] : [say(part.text)];
  }
}

function isBlank({ text }: TextPart): boolean {
  return text.trim() === "";
}

function say(text: string): JsonObject {
  return { text };
}

function isText(block: JsonObject): boolean {
  return block["text"] !== undefined;
}

function hasDocument(content: readonly JsonObject[]): boolean {
  return content.some(({ document }) => document !== undefined);
}

/** Only what the vendor signed itself is sent back, exactly as it was. */
function encodeReasoning({ text, proof, isRedacted }: ReasoningPart): JsonObject[] {
  if (proof?.dialect !== "converse" || proof.data === "") return [];
  if (isRedacted) return [{ reasoningContent: { redactedContent: proof.data } }];
  return [{ reasoningContent: { reasoningText: { text, signature: proof.data } } }];
}

/** The beginning of an answer may not end in blanks. */
function trimPrefill(messages: readonly EncodedMessage[]): void {
  const last = messages.at(-1);
  const block = last?.role === "assistant" ? last.content.at(-1) : undefined;
  const text = block?.["text"];
  if (block && typeof text === "string") block["text"] = text.trimEnd();
}
