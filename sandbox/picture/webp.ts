// A lossless WebP of fields: a pixel where a field begins, the rest of its line as copies of the
// pixel at the left, and every further line as a copy of the line above.
import { LowBits } from "./bytes.ts";
import type { Scene } from "./scene.ts";

const signature = 0x2f;
/** Order of the lengths in which the lengths of codes are written. */
const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** Values of a channel, and behind those the lengths of copies. */
const valueCount = 256;
const copyCount = 24;
/** So many codes of eight bits and the others of nine use up all that there is. */
const shortCount = 232;
const copyMax = 4096;
const sources = { above: 0, left: 1 };
const opaque = 255;

export function writeWebp(scene: Scene): Uint8Array {
  const image = imageOf(scene);
  const padding = image.length % 2;
  const chunk = Buffer.alloc(8 + image.length + padding);
  chunk.write("VP8L", 0, "latin1");
  chunk.writeUInt32LE(image.length, 4);
  chunk.set(image, 8);
  const head = Buffer.alloc(12);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(4 + chunk.length, 4);
  head.write("WEBP", 8, "latin1");
  return Buffer.concat([head, chunk]);
}

function imageOf(scene: Scene): Uint8Array {
  const bits = new LowBits();
  bits.bits(8, signature);
  bits.bits(14, scene.width - 1);
  bits.bits(14, scene.height - 1);
  // No transparency, version 0, no transforms, no cache of colours, one set of codes.
  bits.bits(1 + 3 + 1 + 1 + 1, 0);
  writeGreenCodes(bits);
  writeFlatCodes(bits);
  writeFlatCodes(bits);
  writeOneCode(bits, opaque);
  writeTwoCodes(bits);
  writeLines(bits, scene);
  return bits.written();
}

function writeGreenCodes(bits: LowBits): void {
  openLengths(bits);
  for (let at = 0; at < valueCount + copyCount; at++) bits.bits(1, at < shortCount ? 0 : 1);
}

function writeFlatCodes(bits: LowBits): void {
  openLengths(bits);
  bits.bits(valueCount, 0);
}

/** Eight and nine are the only lengths that occur, each written with one bit; none is left out. */
function openLengths(bits: LowBits): void {
  const count = lengthOrder.indexOf(9) + 1;
  bits.bits(1, 0);
  bits.bits(4, count - 4);
  for (const length of lengthOrder.slice(0, count))
    bits.bits(3, length === 8 || length === 9 ? 1 : 0);
  bits.bits(1, 0);
}

/** A value that takes no bits at all. */
function writeOneCode(bits: LowBits, value: number): void {
  bits.bits(3, 0b101);
  bits.bits(8, value);
}

/** Zero and one. */
function writeTwoCodes(bits: LowBits): void {
  bits.bits(3, 0b011);
  bits.bits(1, 0);
  bits.bits(8, 1);
}

function writeLines(bits: LowBits, scene: Scene): void {
  const { width, height, cellPixels, rows } = scene;
  for (let row = 0; row < rows; row++) {
    writeFirstLine(bits, scene, row);
    const count = Math.min(cellPixels, height - row * cellPixels) - 1;
    writeCopies(bits, count * width, sources.above);
  }
}

function writeFirstLine(bits: LowBits, scene: Scene, row: number): void {
  const { width, cellPixels, columns, colours } = scene;
  for (let column = 0; column < columns; column++) {
    const at = (row * columns + column) * 3;
    const [red = 0, green = 0, blue = 0] = colours.subarray(at, at + 3);
    writeGreen(bits, green);
    bits.code(8, red);
    bits.code(8, blue);
    writeCopies(bits, Math.min(cellPixels, width - column * cellPixels) - 1, sources.left);
  }
}

function writeCopies(bits: LowBits, pixels: number, source: number): void {
  for (let left = pixels; left > 0; left -= copyMax) {
    writeLength(bits, Math.min(left, copyMax));
    bits.code(1, source);
  }
}

function writeGreen(bits: LowBits, symbol: number): void {
  if (symbol < shortCount) bits.code(8, symbol);
  else bits.code(9, shortCount + symbol);
}

/** A symbol for the two highest bits of the length and how many follow, and those that follow. */
function writeLength(bits: LowBits, length: number): void {
  const rest = length - 1;
  if (rest < 4) {
    writeGreen(bits, valueCount + rest);
    return;
  }
  const extra = 30 - Math.clz32(rest);
  writeGreen(bits, valueCount + 2 * (extra + 1) + ((rest >> extra) & 1));
  bits.bits(extra, rest & ((1 << extra) - 1));
}
