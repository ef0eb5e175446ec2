// Says in a few words what media is, by its bytes alone: whoever relabels or spoils it on the way
// gets another description.
import { readImageSize } from "../../src/core/image-size.ts";

interface Media {
  /** Type found in the bytes; null when they are of no kind that is known here. */
  type: string | null;
  bytes: Uint8Array;
}

/** Takes the bytes or their base64 text. */
export function readMedia(data: string | Uint8Array): Media {
  const bytes = typeof data === "string" ? Buffer.from(data, "base64") : data;
  return { type: typeOf(bytes), bytes };
}

/** Such as "an image of type image/png, 3 by 2 pixels". */
export function describeMedia(data: string | Uint8Array): string {
  const { type, bytes } = readMedia(data);
  if (type === null) return `a file of no known type, ${bytes.length} bytes`;
  const [family] = type.split("/");
  if (family !== "image") return `${nounOf(family)} of type ${type}, ${bytes.length} bytes`;
  const size = readImageSize(type, bytes);
  const extent = size ? `${size.width} by ${size.height} pixels` : "cut short";
  return `an image of type ${type}, ${extent}`;
}

function nounOf(family: string | undefined): string {
  if (family === "audio") return "audio";
  return family === "video" ? "a video" : "a document";
}

const headBytes = 12;
const mp4Brand = 8;

function typeOf(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  if (head.startsWith("%PDF-")) return "application/pdf";
  if (head.startsWith("RIFF")) return riffTypes[head.slice(mp4Brand)] ?? null;
  if (head.startsWith("ftyp", 4))
    return head.startsWith("M4A", mp4Brand) ? "audio/mp4" : "video/mp4";
  if (head.startsWith("\x1aE\xdf\xa3")) return "video/webm";
  if (head.startsWith("OggS")) return "audio/ogg";
  if (head.startsWith("fLaC")) return "audio/flac";
  return /^ID3|^\xff[\xf2\xf3\xfa\xfb]/.test(head) ? "audio/mpeg" : null;
}

const riffTypes: Readonly<Record<string, string>> = {
  WEBP: "image/webp",
  WAVE: "audio/wav",
};
