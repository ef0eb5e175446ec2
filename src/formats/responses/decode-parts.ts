// The parts of a message's content and of a tool's output.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { CacheMark, MediaPart, MediaSource, Part, ResultPart, TextPart } from "../exchange.ts";
import { mediaKind, readBytes, readUrl } from "../kit/media.ts";
import { readText } from "../kit/openai-exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { readCitations } from "./output-items.ts";

/** The first line of a tool's output that says that the tool failed. */
export const errorMark = "[tool error]";

export function decodeParts(content: Json | undefined, path: string): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part, at) => {
    if (!isObject(part)) throw invalid(`${path}.${at}`, "must be an object");
    return decodePart(part, `${path}.${at}`);
  });
}

function decodePart(part: JsonObject, at: string): Part[] {
  const text = readText(part["text"]) ?? "";
  const cache = readCache(part["prompt_cache_breakpoint"]);
  switch (part["type"]) {
    case "input_text":
    case "text":
      return [{ kind: "text", text, ...cache }];
    case "output_text": {
      const citations = readCitations(part["annotations"]);
      const cited = citations.length === 0 ? {} : { citations };
      return [{ kind: "text", text, ...cited, ...cache }];
    }
    case "refusal":
      return [{ kind: "refusal", text: readText(part["refusal"]) ?? "" }];
    case "input_image":
      return [{ ...decodeImage(part, at), ...cache }];
    case "input_file":
      return [{ ...decodeFile(part, at), ...cache }];
    case "input_audio":
      return [decodeAudio(part, at)];
    default:
      throw unsupported(`${at}.type`);
  }
}

function decodeImage(part: JsonObject, at: string): MediaPart {
  const { image_url: url, file_id: file, detail } = part;
  const source = typeof url === "string" ? readUrl(url) : keptFile(file);
  if (!source) throw invalid(`${at}.image_url`, "must be a string");
  const image: MediaPart = { kind: "media", media: "image", source, at };
  return typeof detail === "string" ? { ...image, detail } : image;
}

function decodeFile(part: JsonObject, at: string): MediaPart {
  const { file_data: data, file_url: url, file_id: file } = part;
  const name = readText(part["filename"]);
  let source = keptFile(file);
  if (typeof data === "string") source = readFileData(data);
  else if (typeof url === "string") source = readUrl(url);
  if (!source) throw invalid(`${at}.file_data`, "must be a string");
  const media = source.kind === "bytes" ? mediaKind(source.type) : "document";
  const document: MediaPart = { kind: "media", media, source, at };
  return name === null ? document : { ...document, name };
}

/** Clients send data URLs, and some the bare base64. */
function readFileData(data: string): MediaSource {
  const source = data.startsWith("data:") ? readUrl(data) : readBytes(data, "");
  if (source.kind !== "bytes" || !source.type.startsWith("text/")) return source;
  return { kind: "text", text: Buffer.from(source.base64, "base64").toString() };
}

function decodeAudio(part: JsonObject, at: string): MediaPart {
  const { input_audio: audio } = part;
  const data = isObject(audio) ? readText(audio["data"]) : null;
  if (!isObject(audio) || data === null) throw invalid(`${at}.input_audio`, "must be an object");
  const source = readBytes(data, `audio/${readText(audio["format"]) ?? "wav"}`);
  return { kind: "media", media: "audio", source, at };
}

/** An image that the vendor's own tool made. */
export function decodeGenerated(item: JsonObject, at: string): MediaPart[] {
  const { result, output_format: format } = item;
  if (typeof result !== "string" || result === "") return [];
  const source = readBytes(result, `image/${readText(format) ?? "png"}`);
  return [{ kind: "media", media: "image", source, at }];
}

function keptFile(id: Json | undefined): MediaSource | null {
  return typeof id === "string" ? { kind: "file", id, dialect: "responses" } : null;
}

export function decodeResult(item: JsonObject, path: string): ResultPart {
  const callId = readText(item["call_id"]);
  if (callId === null) throw invalid(`${path}.call_id`, "is required");
  const parts = decodeParts(item["output"], `${path}.output`);
  const content = parts.filter((part) => part.kind === "text" || part.kind === "media");
  const isError = hasErrorMark(content[0]);
  return {
    kind: "result",
    callId,
    name: null,
    content: isError ? withoutErrorMark(content) : content,
    isError,
    isCustom: item["type"] === "custom_tool_call_output",
  };
}

function hasErrorMark(part: TextPart | MediaPart | undefined): boolean {
  return (
    part?.kind === "text" && (part.text === errorMark || part.text.startsWith(`${errorMark}\n`))
  );
}

function withoutErrorMark([first, ...rest]: (TextPart | MediaPart)[]): (TextPart | MediaPart)[] {
  if (first?.kind !== "text" || first.text === errorMark) return rest;
  return [{ ...first, text: first.text.slice(errorMark.length + 1) }, ...rest];
}

function readCache(breakpoint: Json | undefined): { cache?: CacheMark } {
  if (!isObject(breakpoint)) return {};
  const { ttl } = breakpoint;
  return { cache: { ttl: ttl === "5m" || ttl === "1h" ? ttl : null } };
}
