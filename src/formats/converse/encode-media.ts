// Images, documents, sounds and films for Converse, which takes bytes and fetches nothing.
import type { JsonObject } from "../../core/json.ts";
import type { MediaPart, MediaSource } from "../exchange.ts";
import { mediaKind } from "../kit/media.ts";
import { NumberedNames } from "../kit/names/numbered-names.ts";
import { unsupported } from "../kit/refuse.ts";

/** The vendor's word for each media type. */
const formatsOf: Readonly<Record<MediaPart["media"], ReadonlyMap<string, string>>> = {
  image: new Map([
    ["image/png", "png"],
    ["image/jpeg", "jpeg"],
    ["image/gif", "gif"],
    ["image/webp", "webp"],
  ]),
  document: new Map([
    ["application/pdf", "pdf"],
    ["text/csv", "csv"],
    ["application/msword", "doc"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
    ["application/vnd.ms-excel", "xls"],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
    ["text/html", "html"],
    ["text/markdown", "md"],
  ]),
  audio: new Map([
    ["audio/mp3", "mp3"],
    ["audio/mpeg", "mp3"],
    ["audio/wav", "wav"],
    ["audio/ogg", "ogg"],
    ["audio/flac", "flac"],
    ["audio/aac", "aac"],
    ["audio/m4a", "m4a"],
  ]),
  video: new Map([
    ["video/mp4", "mp4"],
    ["video/mov", "mov"],
    ["video/quicktime", "mov"],
    ["video/webm", "webm"],
    ["video/mpeg", "mpeg"],
    ["video/x-matroska", "mkv"],
  ]),
};
const textType = /^text\/|^application\/(?:json|xml)$/;

/** The vendor takes no two documents of one name. */
export function newDocumentNames(): NumberedNames {
  return new NumberedNames((name, count) => `${name} (${count})`);
}

/** Throws the 400 that names a part which the vendor has no place for. */
export function encodeMedia(part: MediaPart, names: NumberedNames): JsonObject {
  const { source } = part;
  const encoded = source.kind === "text" ? toText(source.text) : encodeBytes(source);
  if (!encoded) throw unsupported(part.at);
  const { kind, ...held } = encoded;
  if (kind !== "document") return { [kind]: held };
  return { document: { ...held, name: documentName(part.name, names) } };
}

interface EncodedSource {
  kind: MediaPart["media"];
  format: string;
  source: JsonObject;
}

/** Bytes tell better what they are than the field in which they stood. */
function encodeBytes(source: MediaSource): EncodedSource | null {
  if (source.kind !== "bytes") return null;
  const { type, base64 } = source;
  const kind = mediaKind(type);
  const format = formatsOf[kind].get(type) ?? (textType.test(type) ? "txt" : null);
  return format === null ? null : { kind, format, source: { bytes: base64 } };
}

function toText(text: string): EncodedSource {
  return { kind: "document", format: "txt", source: { text } };
}

const nameCharactersMax = 180;

/** Letters, digits, single blanks, hyphens and brackets are all that a name may have. */
function documentName(name: string | undefined, names: NumberedNames): string {
  const words = (name ?? "").replace(/[^A-Za-z0-9\-()[\]]+/g, " ").trim();
  const plain = words.slice(0, nameCharactersMax) || "document";
  return names.take(plain);
}
