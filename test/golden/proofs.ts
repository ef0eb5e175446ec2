// Proofs that vendors check in the requests that they get back: where it stands on each wire.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { UpstreamDialect } from "../../src/formats/exchange.ts";
import { at, objectIn, objectsIn } from "./wire/told.ts";

/** A reply inside a request, as the vendor's own client would send it back. */
export function nativeTurn(maker: UpstreamDialect, reply: JsonObject): JsonObject {
  switch (maker) {
    case "chat":
      return { messages: [objectIn(at(objectsIn(reply, "choices"), 0), "message")] };
    case "responses":
      return { input: reply["output"] };
    case "messages":
      return { messages: [reply] };
    case "content":
      return { contents: [objectIn(at(objectsIn(reply, "candidates"), 0), "content")] };
    case "converse":
      return { messages: [objectIn(objectIn(reply, "output"), "message")] };
  }
}

/** All proofs in a request, each with what it belongs to. */
export function proofsIn(dialect: UpstreamDialect, body: JsonObject): Json[] {
  switch (dialect) {
    case "chat":
      return itemsIn(body, "messages").flatMap((message) => {
        const { reasoning_content, reasoning = reasoning_content, reasoning_details } = message;
        return reasoning === undefined ? [] : [[reasoning, reasoning_details ?? null]];
      });
    case "responses":
      return itemsIn(body, "input")
        .filter(({ type }) => type === "reasoning")
        .map((item) => [item["id"] ?? null, summaryOf(item), item["encrypted_content"] ?? null]);
    case "messages":
      return itemsIn(body, "messages")
        .flatMap((message) => itemsIn(message, "content"))
        .filter(({ type }) => type === "thinking" || type === "redacted_thinking");
    case "content":
      return itemsIn(body, "contents")
        .flatMap((content) => itemsIn(content, "parts"))
        .filter(({ thoughtSignature }) => thoughtSignature !== undefined)
        .map((part) => [part["text"] ?? "", argumentsOf(part), part["thoughtSignature"] ?? null]);
    case "converse":
      return itemsIn(body, "messages")
        .flatMap((message) => itemsIn(message, "content"))
        .flatMap(({ reasoningContent }) => (isObject(reasoningContent) ? [reasoningContent] : []));
  }
}

/** The objects in a list; none where there is a text. */
function itemsIn(holder: JsonObject, name: string): JsonObject[] {
  const value = holder[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function summaryOf(item: JsonObject): string {
  return itemsIn(item, "summary")
    .map(({ text }) => String(text))
    .join("\n\n");
}

function argumentsOf({ functionCall: call }: JsonObject): Json {
  return isObject(call) ? (call["args"] ?? null) : null;
}
