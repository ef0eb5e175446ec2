// Kind of a file, told by its first bytes and never by its name or by what a server says of it.

export type MediaKind = "image" | "video" | "audio";

/**
 * Kinds that are served and checked; anything else, such as a page or a drawing with scripts, is
 * not.
 */
const extensions = {
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/mp4": "m4a",
} as const;

export type MediaType = keyof typeof extensions;

/** Bytes needed to tell. */
export const sniffBytes = 64;

export function extensionOf(type: MediaType): string {
  return extensions[type];
}

export function typeOfExtension(extension: string): MediaType | null {
  const entry = Object.entries(extensions).find(([, known]) => known === extension);
  return entry ? (entry[0] as MediaType) : null;
}

export function mediaKindOf(type: MediaType): MediaKind {
  if (type.startsWith("video/")) return "video";
  return type.startsWith("image/") ? "image" : "audio";
}

/** Null when it is none of the types above. */
export function sniff(bytes: Uint8Array): MediaType | null {
  const head = Buffer.from(bytes.subarray(0, sniffBytes)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  if (head.startsWith("\x1aE\xdf\xa3")) return head.includes("webm") ? "video/webm" : null;
  if (head.startsWith("RIFF")) return riffTypes[head.slice(8, 12)] ?? null;
  if (head.slice(4, 8) === "ftyp") return brandType(head.slice(8, 12));
  // Old QuickTime files begin with another box.
  if (/^(?:moov|mdat|wide)$/.test(head.slice(4, 8))) return "video/quicktime";
  return /^(?:ID3|\xff[\xf2\xf3\xfa\xfb])/.test(head) ? "audio/mpeg" : null;
}

const riffTypes: Readonly<Record<string, MediaType>> = { WEBP: "image/webp", WAVE: "audio/wav" };

function brandType(brand: string): MediaType | null {
  if (brand === "qt  ") return "video/quicktime";
  if (/^M4[AB] $/.test(brand)) return "audio/mp4";
  // Pictures in the same kind of box.
  return /^(?:avi[fs]|hei[cmsx]|hev[cx]|mif1|msf1|crx )$/.test(brand) ? null : "video/mp4";
}
