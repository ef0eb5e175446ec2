// Kind of a file, proven by its bytes as a whole. A magic number proves nothing: some are plain
// letters, and a file may be one thing in front and another behind.
import { isHeifPicture, isMp4Sound } from "./box-files.ts";

type ProvenKind = "picture" | "sound" | "text";

interface Proof {
  kind: ProvenKind;
  /** The letters that such a file has, from the byte on at which they stand. */
  magic: string;
  at: number;
  holds(bytes: Buffer): boolean;
}

/** Files that are small for a model; whatever else there is may be long. */
const proofs: Proof[] = [
  { kind: "picture", magic: "\x89PNG\r\n\x1a\n", at: 0, holds: isPng },
  { kind: "picture", magic: "\xff\xd8\xff", at: 0, holds: isJpeg },
  { kind: "picture", magic: "GIF8", at: 0, holds: isGif },
  { kind: "picture", magic: "WEBP", at: 8, holds: isWebp },
  { kind: "picture", magic: "ftyp", at: 4, holds: isHeifPicture },
  { kind: "sound", magic: "ftyp", at: 4, holds: isMp4Sound },
  { kind: "sound", magic: "WAVE", at: 8, holds: isWave },
  { kind: "sound", magic: "OggS", at: 0, holds: isOggSound },
  { kind: "sound", magic: "fLaC", at: 0, holds: isFlac },
  { kind: "sound", magic: "AIF", at: 8, holds: (bytes) => letters(bytes, 0, 4) === "FORM" },
  { kind: "sound", magic: "#!AMR", at: 0, holds: () => true },
  { kind: "sound", magic: "ID3", at: 0, holds: isTaggedMpeg },
  { kind: "sound", magic: "\xff", at: 0, holds: (bytes) => isMpegFrame(bytes, 0) },
];

/** Null where it may be anything. */
export function proveFile(bytes: Buffer): ProvenKind | null {
  if (hasAnother(bytes)) return null;
  for (const { kind, magic, at, holds } of proofs) {
    if (letters(bytes, at, magic.length) === magic && holds(bytes)) return kind;
  }
  return isText(bytes) ? "text" : null;
}

/** Bytes at the end of a file that may hold an archive's directory. */
const directoryBytes = 66_000;

// Bytes are searched for bytes sooner than for a text.
const documentMark = Buffer.from("%PDF-");
const directoryMark = Buffer.from("PK\x05\x06");

/** A document anywhere in it, or an archive's directory at its end. */
function hasAnother(bytes: Buffer): boolean {
  if (bytes.includes(documentMark)) return true;
  return bytes.subarray(Math.max(0, bytes.length - directoryBytes)).includes(directoryMark);
}

// oxlint-disable-next-line no-control-regex -- binary data is told by the controls in it
const controls = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

function isText(bytes: Buffer): boolean {
  return !bytes.subarray(0, 2).equals(archiveMark) && !controls.test(bytes.toString("latin1"));
}

const archiveMark = Buffer.from("PK");

function letters(bytes: Buffer, at: number, length: number): string {
  return bytes.toString("latin1", at, at + length);
}

/** Some writers leave a few bytes behind; more may be another file. */
const slackBytes = 16;

function isEnd({ length }: Buffer, at: number): boolean {
  return at <= length + 1 && length <= at + slackBytes;
}

function isPng(bytes: Buffer): boolean {
  if (bytes.length < 33 || letters(bytes, 12, 4) !== "IHDR" || bytes.readUInt32BE(8) !== 13) {
    return false;
  }
  if (bytes.readUInt32BE(16) === 0 || bytes.readUInt32BE(20) === 0) return false;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const type = letters(bytes, at + 4, 4);
    at += 12 + bytes.readUInt32BE(at);
    if (type === "IEND") return isEnd(bytes, at);
  }
  return false;
}

/** One or several behind each other, as cameras put them, and each with a size. */
function isJpeg(bytes: Buffer): boolean {
  let at = 0;
  do {
    at = endOfJpeg(bytes, at);
    if (at === -1) return false;
  } while (bytes[at] === 0xff && bytes[at + 1] === 0xd8);
  return isEnd(bytes, at);
}

/** Markers, a frame among them, and scans up to its end; -1 where it is none. */
function endOfJpeg(bytes: Buffer, from: number): number {
  let hasFrame = false;
  let at = from + 2;
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return -1;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return hasFrame ? at + 2 : -1;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (at + 9 > bytes.length) return -1;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) hasFrame = bytes.readUInt16BE(at + 5) > 0 && bytes.readUInt16BE(at + 7) > 0;
    at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) at = pastScan(bytes, at);
  }
  return -1;
}

/** The next marker that is no part of a scan. */
function pastScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  for (; at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at;
  }
  return bytes.length;
}

/** Blocks up to its end, with an image among them. */
function isGif(bytes: Buffer): boolean {
  if (!/^GIF8[79]a$/.test(letters(bytes, 0, 6))) return false;
  if (bytes.length < 14 || !bytes.readUInt16LE(6) || !bytes.readUInt16LE(8)) return false;
  let at = 13 + colours(bytes[10]);
  let hasImage = false;
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x3b) return hasImage && isEnd(bytes, at + 1);
    if (block === 0x2c) {
      const codeAt = at + 10 + colours(bytes[at + 9]);
      const codeSize = bytes[codeAt] ?? 0;
      if (codeSize < 2 || codeSize > 8) return false;
      hasImage = true;
      at = pastSubBlocks(bytes, codeAt + 1);
    } else if (block === 0x21) at = pastSubBlocks(bytes, at + 2);
    else return false;
  }
  return false;
}

function colours(flags: number | undefined): number {
  return flags !== undefined && flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

function pastSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

function isWebp(bytes: Buffer): boolean {
  if (letters(bytes, 0, 4) !== "RIFF" || bytes.length < 30) return false;
  const size = bytes.readUInt32LE(4) + 8;
  if (!isEnd(bytes, size) || !/^VP8[ LX]$/.test(letters(bytes, 12, 4))) return false;
  return bytes.readUInt32LE(16) + 20 <= size;
}

/** Slower than any speech; of a file that says so, a byte would be many tokens. */
const bytesPerSecondMin = 500;

function isWave(bytes: Buffer): boolean {
  if (letters(bytes, 0, 4) !== "RIFF" || bytes.length < 44) return false;
  return letters(bytes, 12, 4) === "fmt " && bytes.readUInt32LE(28) >= bytesPerSecondMin;
}

// oxlint-disable-next-line no-control-regex -- as the heads of these streams are
const oggSounds = /^(?:OpusHead|\x01vorbis|Speex {3}|\x7fFLAC)/;

/** Every stream that begins in it is sound. */
function isOggSound(bytes: Buffer): boolean {
  let at = 0;
  let streams = 0;
  while (at !== -1) {
    const segments = bytes[at + 26] ?? 0;
    const isFirst = ((bytes[at + 5] ?? 0) & 2) !== 0;
    if (isFirst && !oggSounds.test(letters(bytes, at + 27 + segments, 8))) return false;
    if (isFirst) streams++;
    at = bytes.indexOf("OggS", at + 27);
  }
  return streams > 0;
}

/** Silence is packed to almost nothing, so its length is looked at. */
function isFlac(bytes: Buffer): boolean {
  if (bytes.length < 42) return false;
  const rate = (bytes.readUInt32BE(18) >>> 12) & 0xfffff;
  const samples = (bytes.readUInt8(21) & 0xf) * 2 ** 32 + bytes.readUInt32BE(22);
  return rate > 0 && samples > 0 && (samples / rate) * bytesPerSecondMin <= bytes.length;
}

/** A tag, and behind it a frame. */
function isTaggedMpeg(bytes: Buffer): boolean {
  if (bytes.length < 10) return false;
  const [, , , , , , a = 0, b = 0, c = 0, d = 0] = bytes;
  if ((a | b | c | d) & 0x80) return false;
  let at = 10 + ((a << 21) | (b << 14) | (c << 7) | d);
  while (bytes[at] === 0) at++;
  return letters(bytes, at, 4) === "fLaC" || isMpegFrame(bytes, at);
}

/** The head of a frame of MPEG sound: no reserved rate, and a layer, or AAC's own kind of head. */
function isMpegFrame(bytes: Buffer, at: number): boolean {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3);
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return false;
  if ((kind & 0xf6) === 0xf0) return true;
  return (kind & 0x18) !== 8 && (kind & 6) !== 0 && rates >> 4 !== 15 && (rates & 0xc) !== 0xc;
}
