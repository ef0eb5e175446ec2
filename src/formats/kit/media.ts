// Media inside requests: data URLs, and the media type as the bytes have it.
import type { MediaPart, MediaSource } from "../exchange.ts";

const dataUrl = /^data:([^;,]*)((?:;[^;,]*)*),/i;

/** A URL or a data URL as a source. */
export function readUrl(url: string, type: string | null = null): MediaSource {
  const head = dataUrl.exec(url);
  if (!head) return { kind: "url", url, type };
  const [prefix, declared = "", options = ""] = head;
  const rest = url.slice(prefix.length);
  const isBase64 = /;base64$/i.test(options);
  return readBytes(isBase64 ? rest : encodePercent(rest), declared);
}

/** Base64 data as a source; what the client calls it counts only where the bytes do not tell. */
export function readBytes(base64: string, declared: string): MediaSource {
  // Some clients put a data URL where the data alone belongs.
  if (dataUrl.test(base64)) return readUrl(base64);
  const plain = /[\s_-]/.test(base64) ? canonical(base64) : base64;
  const type = sniff(plain) ?? (declared === "" ? "application/octet-stream" : rename(declared));
  return { kind: "bytes", type, base64: plain };
}

export function toDataUrl({ type, base64 }: Extract<MediaSource, { kind: "bytes" }>): string {
  return `data:${type};base64,${base64}`;
}

/** Media inside an answer, for formats whose answers are text alone. */
export function toMarkdown({ media, source, name }: MediaPart): string {
  if (source.kind === "text") return source.text;
  if (source.kind === "file") return "";
  const address = source.kind === "bytes" ? toDataUrl(source) : source.url;
  return `${media === "image" ? "!" : ""}[${name ?? media}](${address})`;
}

const endings: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "application/json": "json",
  "text/plain": "txt",
  "text/markdown": "md",
  "text/csv": "csv",
  "text/html": "html",
};

/** Some vendors tell the kind of a file by the end of its name. */
export function fileName(name: string | undefined, type: string): string {
  const filename = name ?? "document";
  const ending = endings[type];
  return ending === undefined || /\.\w+$/.test(filename) ? filename : `${filename}.${ending}`;
}

export function mediaKind(type: string): MediaPart["media"] {
  const [family] = type.split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}

/** The media type that an address's ending says; null where it says none. */
export function typeByName(url: string): string | null {
  if (filmHosts.test(URL.parse(url)?.hostname ?? "")) return "video/mp4";
  const extension = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url.trim())?.[1]?.toLowerCase() ?? "";
  return typesByExtension[extension] ?? null;
}

const filmHosts = /(?:^|\.)youtu(?:be\.com|\.be)$/;

const typesByExtension: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  mp3: "audio/mp3",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
  aac: "audio/aac",
  mp4: "video/mp4",
  mov: "video/mov",
  webm: "video/webm",
  avi: "video/avi",
  mkv: "video/x-matroska",
  mpg: "video/mpeg",
  mpeg: "video/mpeg",
  m4v: "video/mp4",
  m4a: "audio/m4a",
};

function encodePercent(text: string): string {
  try {
    return Buffer.from(decodeURIComponent(text)).toString("base64");
  } catch {
    return Buffer.from(text).toString("base64");
  }
}

function canonical(base64: string): string {
  return base64.replace(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
}

function rename(declared: string): string {
  const type = declared.toLowerCase();
  return type === "image/jpg" ? "image/jpeg" : type;
}

const headCharacters = 24;

/** Null when the bytes are of no kind that is known here. */
function sniff(base64: string): string | null {
  const bytes = Buffer.from(base64.slice(0, headCharacters), "base64");
  const text = bytes.toString("latin1");
  if (text.startsWith("\x89PNG\r\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF8")) return "image/gif";
  if (text.startsWith("%PDF-")) return "application/pdf";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "image/webp";
  if (text.startsWith("RIFF") && text.startsWith("WAVE", 8)) return "audio/wav";
  if (text.startsWith("ID3") || text.startsWith("\xff\xfb")) return "audio/mp3";
  return null;
}
