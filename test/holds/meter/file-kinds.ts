// Bytes as a vendor's readers see them, whatever they are called: what can be billed for them.

export type FileCost =
  /** Billed by the picture, whatever its bytes. */
  | { kind: "picture" }
  /** No more tokens than bytes. */
  | { kind: "bytes"; bytes: number }
  /** More may be in it than it has bytes, up to what the model reads. */
  | { kind: "window" };

const window: FileCost = { kind: "window" };

export function costOfBytes(bytes: Buffer, isPicturePlace: boolean): FileCost {
  const byLength: FileCost = { kind: "bytes", bytes: bytes.length };
  const text = bytes.toString("latin1");
  if (text.includes("%PDF-")) return window;
  if (endOfPicture(bytes, text) !== null) {
    return isPicturePlace ? { kind: "picture" } : byLength;
  }
  if (isText(text)) return byLength;
  return isPlainSound(bytes, text) ? byLength : window;
}

// oxlint-disable-next-line no-control-regex -- binary data is told by the controls in it
const controls = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

function isText(text: string): boolean {
  return !controls.test(text) && !text.startsWith("PK\x03\x04");
}

/** End of a picture that is one from its first byte to there; null where it is none. */
function endOfPicture(bytes: Buffer, text: string): number | null {
  const end = text.startsWith("\x89PNG\r\n\x1a\n")
    ? endOfPng(bytes, text)
    : /^GIF8[79]a/.test(text)
      ? endOfGif(bytes)
      : text.startsWith("\xff\xd8\xff")
        ? endOfJpeg(text)
        : /^RIFF[^]{4}WEBPVP8[ LX]/.test(text)
          ? bytes.readUInt32LE(4) + 8
          : endOfStill(bytes, text);
  if (end === null) return null;
  // Some phones put a film behind a picture, and readers of other kinds look there.
  return bytes.length <= end + slackBytes ? end : null;
}

const slackBytes = 16;

function endOfPng(bytes: Buffer, text: string): number | null {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const type = text.slice(at + 4, at + 8);
    if (at === 8 && type !== "IHDR") return null;
    at += bytes.readUInt32BE(at) + 12;
    if (type === "IEND") return at;
  }
  return null;
}

function endOfGif(bytes: Buffer): number | null {
  if (bytes.length < 13) return null;
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    const mark = bytes[at];
    if (mark === 0x3b) return at + 1;
    if (mark === 0x21) at += 2;
    else if (mark === 0x2c) at += 11 + tableBytes(bytes[at + 9] ?? 0);
    else return null;
    for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += size + 1;
    at++;
  }
  return null;
}

function endOfJpeg(text: string): number | null {
  if (!/\xff[\xc0-\xc3]/.test(text)) return null;
  const at = text.lastIndexOf("\xff\xd9");
  return at === -1 ? null : at + 2;
}

/** A picture in the container of films: one without a film in it. */
function endOfStill(bytes: Buffer, text: string): number | null {
  if (!/^\0[^]{3}ftyp(?:hei[cx]|mif1|avif)/.test(text)) return null;
  let at = 0;
  let hasMeta = false;
  while (at + 8 <= bytes.length) {
    const type = text.slice(at + 4, at + 8);
    if (type === "moov" || type === "moof") return null;
    hasMeta ||= type === "meta";
    const size = bytes.readUInt32BE(at);
    if (size < 8) return null;
    at += size;
  }
  return hasMeta ? at : null;
}

const samplesPerSecondMin = 8000;

/** Sound of which a second has more bytes than any vendor counts tokens for it. */
function isPlainSound(bytes: Buffer, text: string): boolean {
  if (/^RIFF[^]{4}WAVEfmt /.test(text) && bytes.length >= 36) {
    return bytes.readUInt32LE(24) >= samplesPerSecondMin;
  }
  return /^(?:ID3|\xff[\xe2-\xef\xf2-\xff])/.test(text);
}
