// Pictures as a viewer reads them: a PNG down to its pixels, a JPEG or WebP by its structure.
import { crc32, inflateSync } from "node:zlib";

export interface Decoded {
  type: "png" | "jpeg" | "webp";
  width: number;
  height: number;
  /** Pixels of a PNG; null for the others, which are measured by their headers. */
  pixels: (() => Uint8Array) | null;
}

/** Throws what is wrong with a picture that cannot be shown. */
export function decodePicture(bytes: Uint8Array): Decoded {
  const view = Buffer.from(bytes);
  if (view.subarray(1, 4).toString("latin1") === "PNG") return decodePng(view);
  if (view.readUInt16BE(0) === 0xffd8) return decodeJpeg(view);
  if (view.subarray(8, 12).toString("latin1") === "WEBP") return decodeWebp(view);
  throw new Error("no picture that is known here");
}

export function decodeBase64Picture(base64: string): Decoded {
  return decodePicture(Buffer.from(base64, "base64"));
}

const channelsByKind: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function decodePng(file: Buffer): Decoded {
  let [width, height, bitsPerPixel] = [0, 0, 0];
  const data: Buffer[] = [];
  let hasEnd = false;
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    if (crc32(body) !== file.readUInt32BE(at + 8 + length)) throw new Error("a bad checksum");
    const type = body.subarray(0, 4).toString("latin1");
    const content = body.subarray(4);
    if (type === "IHDR") {
      [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
      bitsPerPixel = content.readUInt8(8) * (channelsByKind[content.readUInt8(9)] ?? 0);
    }
    if (type === "IDAT") data.push(content);
    hasEnd = type === "IEND";
    at += 12 + length;
  }
  if (!hasEnd) throw new Error("the picture has no end");
  const rows = inflateSync(Buffer.concat(data));
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
  if (rows.length !== (rowBytes + 1) * height) throw new Error(`${rows.length} bytes of rows`);
  const stepBytes = Math.ceil(bitsPerPixel / 8);
  return { type: "png", width, height, pixels: () => unfilter(rows, rowBytes, stepBytes) };
}

/** Each row says how it was written down against what lies left of and above it. */
function unfilter(rows: Buffer, rowBytes: number, stepBytes: number): Uint8Array {
  const height = rows.length / (rowBytes + 1);
  const pixels = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (rowBytes + 1)] ?? 0;
    const from = row * (rowBytes + 1) + 1;
    for (let at = 0; at < rowBytes; at++) {
      const here = row * rowBytes + at;
      const left = at >= stepBytes ? (pixels[here - stepBytes] ?? 0) : 0;
      const up = row > 0 ? (pixels[here - rowBytes] ?? 0) : 0;
      const corner = row > 0 && at >= stepBytes ? (pixels[here - rowBytes - stepBytes] ?? 0) : 0;
      pixels[here] = (rows[from + at] ?? 0) + predict(filter, { left, up, corner });
    }
  }
  return pixels;
}

function predict(filter: number, near: { left: number; up: number; corner: number }): number {
  const { left, up, corner } = near;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (a === undefined || b === undefined || c === undefined) return 0;
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function decodeJpeg(file: Buffer): Decoded {
  if (file.readUInt16BE(file.length - 2) !== 0xffd9) throw new Error("the picture has no end");
  for (let at = 2; at < file.length; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file.readUInt16BE(at);
    const isFrame =
      marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (!isFrame) continue;
    const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
    return { type: "jpeg", width, height, pixels: null };
  }
  throw new Error("the picture has no frame");
}

function decodeWebp(file: Buffer): Decoded {
  if (file.readUInt32LE(4) + 8 !== file.length) throw new Error("the picture has another length");
  const kind = file.subarray(12, 16).toString("latin1");
  return { type: "webp", ...webpSize(file, kind), pixels: null };
}

function webpSize(file: Buffer, kind: string): { width: number; height: number } {
  if (kind === "VP8L") {
    const packed = file.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (kind === "VP8X") {
    return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  }
  return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
}
