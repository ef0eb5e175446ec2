// A PNG of fields. All lines of a row of fields are alike, so only the first is compressed; the
// others say "as above", which has one compressed form that is used again and again.
import { constants, deflateRawSync } from "node:zlib";
import type { Scene } from "./scene.ts";

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const zlibHead = Uint8Array.of(0x78, 0x01);
/** An empty block that says that it is the last. */
const lastBlock = Uint8Array.of(0x01, 0x00, 0x00, 0xff, 0xff);
const filters = { none: 0, up: 2 };
const bitDepth = 8;
const trueColour = 2;

export function writePng(scene: Scene): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(scene.width, 0);
  head.writeUInt32BE(scene.height, 4);
  head.writeUInt8(bitDepth, 8);
  head.writeUInt8(trueColour, 9);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", compressed(scene)),
    chunk("IEND", new Uint8Array()),
  ]);
}

function compressed(scene: Scene): Uint8Array {
  const { height, rows, cellPixels } = scene;
  const lineBytes = 1 + scene.width * 3;
  const sum = new Adler();
  const parts: Uint8Array[] = [zlibHead];
  const repeats = new Map<number, Uint8Array>();
  for (let row = 0; row < rows; row++) {
    const line = firstLine(scene, row);
    sum.add(line);
    const count = Math.min(cellPixels, height - row * cellPixels) - 1;
    sum.addRepeats(count, lineBytes);
    const known = repeats.get(count) ?? block(repeatedLines(count, lineBytes));
    repeats.set(count, known);
    parts.push(block(line), known);
  }
  return Buffer.concat([...parts, lastBlock, sum.bytes()]);
}

function firstLine({ width, cellPixels, columns, colours }: Scene, row: number): Uint8Array {
  const line = new Uint8Array(1 + width * 3);
  line[0] = filters.none;
  for (let x = 0; x < width; x++) {
    const from = (row * columns + Math.floor(x / cellPixels)) * 3;
    for (let part = 0; part < 3; part++) line[1 + x * 3 + part] = colours[from + part] ?? 0;
  }
  return line;
}

function repeatedLines(count: number, lineBytes: number): Uint8Array {
  const lines = new Uint8Array(count * lineBytes);
  for (let at = 0; at < count; at++) lines[at * lineBytes] = filters.up;
  return lines;
}

/** Whole bytes that refer to nothing before them, and more may follow. */
function block(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: 1, finishFlush: constants.Z_SYNC_FLUSH });
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  return Buffer.concat([number32(content.length), named, number32(Bun.hash.crc32(named))]);
}

function number32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The checksum at the end; lines that repeat are mostly zeros, and those are added at once. */
class Adler {
  static readonly #modulus = 65_521;
  #low = 1;
  #high = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#low = (this.#low + byte) % Adler.#modulus;
      this.#high = (this.#high + this.#low) % Adler.#modulus;
    }
  }

  addRepeats(count: number, lineBytes: number): void {
    for (let at = 0; at < count; at++) {
      this.#low = (this.#low + filters.up) % Adler.#modulus;
      this.#high = (this.#high + this.#low * lineBytes) % Adler.#modulus;
    }
  }

  bytes(): Uint8Array {
    return number32(this.#high * 0x10000 + this.#low);
  }
}
