// Images and documents for a messages upstream.
import type { JsonObject } from "../../core/json.ts";
import type { MediaPart, MediaSource } from "../exchange.ts";
import { mediaKind } from "../kit/media.ts";
import { unsupported } from "../kit/refuse.ts";
import { writeCache } from "./wire/cache.ts";

const imageTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const textType = /^text\/|^application\/(?:json|xml)$/;

/** Throws the 400 that names a part which the vendor has no place for. */
export function encodeMedia(part: MediaPart, role: "user" | "assistant"): JsonObject {
  const source = role === "user" ? encodeSource(part) : null;
  if (!source) throw unsupported(part.at);
  const type = isImage(part) ? "image" : "document";
  const encoded: JsonObject = { type, source };
  if (type === "document" && part.name !== undefined) encoded["title"] = part.name;
  return { ...encoded, ...writeCache(part) };
}

/** Bytes tell better what they are than the field in which they stood. */
function isImage({ media, source }: MediaPart): boolean {
  return source.kind === "bytes" ? mediaKind(source.type) === "image" : media === "image";
}

function encodeSource({ media, source }: MediaPart): JsonObject | null {
  if (media === "audio" || media === "video") return null;
  switch (source.kind) {
    case "url":
      return { type: "url", url: source.url };
    case "text":
      return toTextSource(source.text);
    case "file":
      return source.dialect === "messages" ? { type: "file", file_id: source.id } : null;
    case "bytes":
      return encodeBytes(source);
  }
}

function encodeBytes({ type, base64 }: Extract<MediaSource, { kind: "bytes" }>): JsonObject | null {
  if (textType.test(type)) return toTextSource(Buffer.from(base64, "base64").toString());
  if (!imageTypes.has(type) && type !== "application/pdf") return null;
  return { type: "base64", media_type: type, data: base64 };
}

function toTextSource(data: string): JsonObject {
  return { type: "text", media_type: "text/plain", data };
}
