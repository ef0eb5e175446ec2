// The parts that a message's content is made of.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { MediaPart, MediaSource, RefusalPart, TextPart } from "../exchange.ts";
import { mediaKind, readBytes, readUrl } from "../kit/media.ts";
import { readText } from "../kit/openai-exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { readCacheMark } from "./extensions.ts";

type ContentPart = TextPart | MediaPart | RefusalPart;

/** `at` is where the content stands, such as `messages.0.content`. */
export function decodeContent(content: Json | undefined, at: string): ContentPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map((part, index) => decodePart(part, `${at}.${index}`));
}

/** Content of which nothing but text can be carried on. */
export function decodeTexts(content: Json | undefined, at: string): TextPart[] {
  return decodeContent(content, at).map((part, index) => {
    if (part.kind !== "text") throw unsupported(`${at}.${index}`);
    return part;
  });
}

function decodePart(part: Json, at: string): ContentPart {
  if (!isObject(part)) throw invalid(at, "must be an object");
  const cache = readCacheMark(part);
  const mark = cache ? { cache } : {};
  switch (part["type"]) {
    case "text":
      return { kind: "text", text: readText(part["text"]) ?? "", ...mark };
    case "refusal":
      return { kind: "refusal", text: readText(part["refusal"]) ?? "" };
    case "image_url":
      return { ...decodeImage(objectIn(part, "image_url", at), at), ...mark };
    case "input_audio":
      return { ...decodeAudio(objectIn(part, "input_audio", at), at), ...mark };
    case "file":
      return { ...decodeFile(objectIn(part, "file", at), at), ...mark };
    default:
      throw unsupported(`${at}.type`);
  }
}

function decodeImage(image: JsonObject, at: string): MediaPart {
  const url = readText(image["url"]);
  if (!url) throw invalid(`${at}.image_url.url`, "must be a string");
  const detail = readText(image["detail"]);
  return {
    kind: "media",
    ...readMedia(readUrl(url), "image"),
    at,
    ...(detail === null ? {} : { detail }),
  };
}

function decodeAudio(audio: JsonObject, at: string): MediaPart {
  const data = readText(audio["data"]);
  if (!data) throw invalid(`${at}.input_audio.data`, "must be a string");
  const source = data.startsWith("data:")
    ? readUrl(data)
    : readBytes(data, `audio/${readText(audio["format"]) ?? "wav"}`);
  return { kind: "media", media: "audio", source, at };
}

function decodeFile(file: JsonObject, at: string): MediaPart {
  const name = readText(file["filename"]);
  return {
    kind: "media",
    ...readMedia(fileSource(file, at), "document"),
    at,
    ...(name === null ? {} : { name }),
  };
}

function fileSource(file: JsonObject, at: string): MediaSource {
  const id = readText(file["file_id"]);
  if (id) return { kind: "file", id, dialect: "chat" };
  const data = readText(file["file_data"]);
  if (!data) throw invalid(`${at}.file`, "must have file_data or file_id");
  return /^(?:data|https?):/i.test(data) ? readUrl(data) : readBytes(data, "");
}

const unknownType = "application/octet-stream";

/** Clients put anything into any kind of part: what the bytes are counts. */
function readMedia(
  source: MediaSource,
  declared: MediaPart["media"],
): Pick<MediaPart, "media" | "source"> {
  const isKnown = source.kind === "bytes" && source.type !== unknownType;
  return { media: isKnown ? mediaKind(source.type) : declared, source };
}

function objectIn(part: JsonObject, name: string, at: string): JsonObject {
  const holder = part[name];
  if (!isObject(holder)) throw invalid(`${at}.${name}`, "must be an object");
  return holder;
}
