// The texts of requests and replies, for where their tokens are counted here.
import type { JsonObject } from "../../core/json.ts";
import { readObject, readObjects, readText } from "../kit/fields.ts";

export function requestTexts(body: JsonObject): string[] {
  const tools = readObjects(body["tools"]).map((tool) => JSON.stringify(tool));
  const messages = readObjects(body["messages"]).flatMap(({ content }) => contentTexts(content));
  return [...contentTexts(body["system"]), ...tools, ...messages];
}

/** Texts of a whole reply, or of one event of a stream. */
export function replyTexts(body: JsonObject): string[] {
  switch (body["type"]) {
    case "content_block_delta": {
      const delta = readObject(body["delta"]);
      return present([delta["text"] ?? delta["thinking"] ?? delta["partial_json"]]);
    }
    case "content_block_start":
      return blockTexts(readObject(body["content_block"])).filter((text) => text !== "{}");
    default:
      return contentTexts(body["content"]);
  }
}

function contentTexts(content: unknown): string[] {
  return [...present([content]), ...readObjects(content).flatMap(blockTexts)];
}

function blockTexts(block: JsonObject): string[] {
  switch (block["type"]) {
    case "tool_use":
    case "server_tool_use":
      return [...present([block["name"]]), JSON.stringify(block["input"] ?? {})];
    case "document": {
      const { type, data, content } = readObject(block["source"]);
      const texts = present([block["title"], block["context"], type === "text" ? data : null]);
      return [...texts, ...contentTexts(content)];
    }
    default:
      return [
        ...present([block["title"], block["text"], block["thinking"]]),
        ...contentTexts(block["content"]),
      ];
  }
}

function present(values: readonly unknown[]): string[] {
  return values.flatMap((value) => readText(value) || []);
}
