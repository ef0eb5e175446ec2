// Texts, images and documents as a messages client writes them, in turns and in results of tools.
import type { JsonObject } from "../../core/json.ts";
import type { MediaPart, MediaSource, TextPart } from "../exchange.ts";
import { readBytes, readUrl } from "../kit/media.ts";
import { unsupported } from "../kit/refuse.ts";
import { readCache } from "./wire/cache.ts";
import { readCitation } from "./wire/citation.ts";
import { readObject, readObjects, readText } from "../kit/fields.ts";

type ContentPart = TextPart | MediaPart;

export function decodeContent(content: unknown, at: string, ignored: string[]): ContentPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return readObjects(content).flatMap((block, index) =>
    decodeContentBlock(block, `${at}.${index}`, ignored),
  );
}

/** Throws the 400 that names a block which no other dialect has a word for. */
export function decodeContentBlock(
  block: JsonObject,
  at: string,
  ignored: string[],
): ContentPart[] {
  switch (block["type"]) {
    case "text":
      return [decodeText(block)];
    case "image":
      return [decodeMedia(block, "image", at)];
    case "document":
      return decodeDocument(block, at, ignored);
    case "search_result":
      return [{ kind: "text", text: searchText(block), ...readCache(block) }];
    case "compaction":
      return decodeContent(block["content"], at, ignored);
    default:
      if (!isOfServer(block)) throw unsupported(at);
      ignored.push(at);
      return [];
  }
}

/** The vendor's own tools speak in blocks that mean nothing elsewhere. */
function isOfServer({ type }: JsonObject): boolean {
  return (
    typeof type === "string" &&
    /^(?:server|mcp)_tool_use$|_tool_result$|^tool_reference$/.test(type)
  );
}

function decodeText(block: JsonObject): TextPart {
  const part: TextPart = { kind: "text", text: readText(block["text"]) ?? "", ...readCache(block) };
  const citations = readObjects(block["citations"]).map(readCitation);
  return citations.length === 0 ? part : { ...part, citations };
}

function decodeMedia(block: JsonObject, media: "image" | "document", at: string): MediaPart {
  const title = readText(block["title"]);
  return {
    kind: "media",
    media,
    source: decodeSource(readObject(block["source"]), `${at}.source`),
    ...(title === null ? {} : { name: title }),
    ...readCache(block),
    at,
  };
}

/** Words about a document stand before it; one that is made of blocks is those blocks. */
function decodeDocument(block: JsonObject, at: string, ignored: string[]): ContentPart[] {
  if (readObject(block["citations"])["enabled"] === true) ignored.push(`${at}.citations`);
  const context = readText(block["context"]);
  const before: ContentPart[] = context ? [{ kind: "text", text: context }] : [];
  const source = readObject(block["source"]);
  if (source["type"] !== "content") return [...before, decodeMedia(block, "document", at)];
  const title = readText(block["title"]);
  if (title) before.push({ kind: "text", text: title });
  return [...before, ...decodeContent(source["content"], `${at}.source.content`, ignored)];
}

function decodeSource(source: JsonObject, at: string): MediaSource {
  const data = readText(source["data"]) ?? "";
  switch (source["type"]) {
    case "base64":
      return readBytes(data, readText(source["media_type"]) ?? "");
    case "url":
      return readUrl(readText(source["url"]) ?? "");
    case "text":
      return { kind: "text", text: data };
    case "file":
      return { kind: "file", id: readText(source["file_id"]) ?? "", dialect: "messages" };
    default:
      throw unsupported(at);
  }
}

function searchText(block: JsonObject): string {
  const texts = readObjects(block["content"]).flatMap(({ text }) => readText(text) ?? []);
  return [block["title"], block["source"], ...texts].filter(Boolean).join("\n");
}
