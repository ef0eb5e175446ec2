// The media type of a file as its first bytes have it.

const headBytes = 16;
/** Types of the ISO container, which holds pictures, sound and films alike, by its brand. */
const brands: Readonly<Record<string, string>> = {
  "qt  ": "video/quicktime",
  "M4A ": "audio/mp4",
  avif: "image/avif",
  heic: "image/heic",
  heix: "image/heic",
  mif1: "image/heif",
};

/** Null when the bytes are of no kind that is known here. */
export function sniffBase64(base64: string): string | null {
  const bytes = Buffer.from(base64.slice(0, Math.ceil(headBytes / 3) * 4), "base64");
  const text = bytes.toString("latin1");
  if (text.startsWith("\x89PNG\r\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF8")) return "image/gif";
  if (text.startsWith("BM")) return "image/bmp";
  if (text.startsWith("RIFF")) return riffType(text);
  if (text.startsWith("ftyp", 4)) return brands[text.slice(8, 12)] ?? "video/mp4";
  if (text.startsWith("\x1aE\xdf\xa3")) return "video/webm";
  if (text.startsWith("ID3") || /^\xff[\xe0-\xff]/.test(text)) return "audio/mpeg";
  if (text.startsWith("OggS")) return "audio/ogg";
  return text.startsWith("fLaC") ? "audio/flac" : null;
}

function riffType(text: string): string | null {
  if (text.startsWith("WEBP", 8)) return "image/webp";
  return text.startsWith("WAVE", 8) ? "audio/wav" : null;
}
