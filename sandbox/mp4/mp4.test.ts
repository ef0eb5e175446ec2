// The files as others read them: by their boxes, by a media library, and by a decoder of the few
// things that are written, which follows the standard and not the writer.
import { describe, expect, test } from "bun:test";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { writeMp4 } from "./index.ts";

const shapes = [
  [1280, 720, 4],
  [1080, 1920, 8],
  [854, 480, 2.5],
  [3840, 2160, 1],
  [34, 18, 12],
] as const;

interface Box {
  type: string;
  content: Buffer;
  boxes: Box[];
  from: number;
}

const holders = new Set(["moov", "trak", "mdia", "minf", "dinf", "stbl"]);

function boxesOf(bytes: Buffer, from = 0): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at);
    expect(size).toBeGreaterThanOrEqual(8);
    expect(at + size).toBeLessThanOrEqual(bytes.length);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + size);
    const inner = holders.has(type) ? boxesOf(content, from + at + 8) : [];
    boxes.push({ type, content, boxes: inner, from: from + at + 8 });
    at += size;
  }
  return boxes;
}

function find(boxes: readonly Box[], ...path: string[]): Box {
  const found = boxes.find(({ type }) => type === path[0]);
  if (!found) throw new Error(`no box ${path[0]}`);
  return path.length === 1 ? found : find(found.boxes, ...path.slice(1));
}

const table = ["moov", "trak", "mdia", "minf", "stbl"];

/** The units of all pictures, by the tables that lead to them. */
function picturesOf(bytes: Buffer): Buffer[] {
  const boxes = boxesOf(bytes);
  const sizes = find(boxes, ...table, "stsz").content;
  let at = find(boxes, ...table, "stco").content.readUInt32BE(8);
  expect(at).toBe(find(boxes, "mdat").from);
  return Array.from({ length: sizes.readUInt32BE(8) }, (_, index) => {
    const size = sizes.readUInt32BE(12 + index * 4);
    expect(bytes.readUInt32BE(at)).toBe(size - 4);
    const unit = bytes.subarray(at + 4, at + size);
    at += size;
    return unit;
  });
}

class BitReader {
  readonly #bytes: number[] = [];
  #at = 0;

  /** Without the bytes that keep start codes out. */
  constructor(unit: Buffer) {
    for (const [at, byte] of unit.subarray(1).entries()) {
      const isGuard = byte === 3 && unit[at] === 0 && unit[at - 1] === 0 && at >= 2;
      if (!isGuard) this.#bytes.push(byte);
    }
  }

  bits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--) {
      const byte = this.#bytes[this.#at >> 3];
      if (byte === undefined) throw new Error("read behind the end");
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
      this.#at++;
    }
    return value;
  }

  zeros(): number {
    let count = 0;
    while (this.bits(1) === 0) count++;
    return count;
  }

  unsigned(): number {
    const length = this.zeros();
    return 2 ** length - 1 + this.bits(length);
  }

  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : 0 - code / 2;
  }

  /** True when nothing but the closing bit is left. */
  isAtEnd(): boolean {
    const left = this.#bytes.length * 8 - this.#at;
    return left >= 1 && left <= 8 && this.bits(left) === 2 ** (left - 1);
  }
}

function readSequence(unit: Buffer) {
  const bits = new BitReader(unit);
  const [profile, flags, level] = [bits.bits(8), bits.bits(8), bits.bits(8)];
  expect([profile, flags, bits.unsigned(), bits.unsigned()]).toEqual([66, 0xc0, 0, 4]);
  expect([bits.unsigned(), bits.unsigned(), bits.bits(1)]).toEqual([2, 1, 0]);
  const [columns, rows] = [bits.unsigned() + 1, bits.unsigned() + 1];
  expect(bits.bits(2)).toBe(3);
  const crop = bits.bits(1) === 1 ? [0, 1, 2, 3].map(() => bits.unsigned() * 2) : [0, 0, 0, 0];
  expect(bits.bits(1)).toBe(0);
  expect(bits.isAtEnd()).toBeTrue();
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const width = columns * 16 - left - right;
  return { level, columns, rows, width, height: rows * 16 - top - bottom };
}

/** One coefficient or none; the codes are those of tables 9-5 and 9-7 of the standard. */
function readLevel(bits: BitReader, isColour: boolean): number {
  const zeros = bits.zeros();
  const none = isColour ? 1 : 0;
  const one = isColour ? 0 : 1;
  if (zeros === none) return 0;
  let level = 0;
  if (zeros === one) level = bits.bits(1) === 1 ? -1 : 1;
  else {
    expect(zeros).toBe(3);
    expect(bits.bits(2)).toBe(isColour ? 3 : 1);
    const prefix = bits.zeros();
    let code = Math.min(prefix, 15);
    if (prefix === 14) code += bits.bits(4);
    if (prefix === 15) code += 15 + bits.bits(12);
    code += 2;
    level = code % 2 === 0 ? (code + 2) / 2 : (-code - 1) / 2;
  }
  expect(bits.bits(1)).toBe(1);
  return level;
}

type Pixel = [y: number, cb: number, cr: number];

function decodeWhole(unit: Buffer, columns: number, rows: number): Pixel[] {
  const bits = new BitReader(unit);
  expect([bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.bits(8)]).toEqual([0, 7, 0, 0]);
  expect([bits.unsigned(), bits.bits(2), bits.signed(), bits.unsigned()]).toEqual([0, 0, 0, 1]);
  const blocks: Pixel[] = [];
  for (let at = 0; at < columns * rows; at++) {
    blocks.push(decodeBlock(bits, { kind: bits.unsigned() - 1, blocks, at, columns }));
  }
  expect(bits.isAtEnd()).toBeTrue();
  return blocks;
}

interface Place {
  kind: number;
  /** Blocks decoded so far. */
  blocks: readonly Pixel[];
  at: number;
  columns: number;
}

function decodeBlock(bits: BitReader, { kind, blocks, at, columns }: Place): Pixel {
  const mode = kind % 4;
  const hasColour = kind >= 4;
  expect(bits.unsigned()).toBe([2, 1, 0][mode] ?? -1);
  expect(bits.signed()).toBe(0);
  const left = at % columns === 0 ? undefined : blocks[at - 1];
  const guess = [blocks[at - columns], left, [128, 128, 128] as Pixel][mode];
  if (!guess) throw new Error("guessed from a block that is not there");
  const y = guess[0] + readLevel(bits, false);
  const cb = guess[1] + (hasColour ? 2 * readLevel(bits, true) : 0);
  const cr = guess[2] + (hasColour ? 2 * readLevel(bits, true) : 0);
  return [y, cb, cr];
}

/** Blocks that are skipped are as they were; the others stand for themselves. */
function decodeChange(unit: Buffer, number: number, before: Pixel[], columns: number): Pixel[] {
  const bits = new BitReader(unit);
  expect([bits.unsigned(), bits.unsigned(), bits.unsigned()]).toEqual([0, 5, 0]);
  expect([bits.bits(8), bits.bits(3), bits.signed(), bits.unsigned()]).toEqual([number, 0, 0, 1]);
  const blocks = [...before];
  for (let at = bits.unsigned(); at < blocks.length; at++) {
    const kind = bits.unsigned() - 6;
    expect(kind).toBeWithin(0, 8);
    blocks[at] = decodeBlock(bits, { kind, blocks, at, columns });
    if (at + 1 < blocks.length) at += bits.unsigned();
  }
  expect(bits.isAtEnd()).toBeTrue();
  return blocks;
}

function settingsOf(bytes: Buffer) {
  const entry = find(boxesOf(bytes), ...table, "stsd").content.subarray(8);
  const settings = entry.subarray(entry.indexOf("avcC") + 4);
  const sequenceBytes = settings.readUInt16BE(6);
  const sequence = settings.subarray(8, 8 + sequenceBytes);
  const rest = settings.subarray(8 + sequenceBytes);
  expect(rest.subarray(0, 1)).toEqual(Buffer.of(1));
  const picture = rest.subarray(3, 3 + rest.readUInt16BE(1));
  expect(settings.subarray(0, 4)).toEqual(Buffer.of(1, ...sequence.subarray(1, 4)));
  return { sequence, picture };
}

describe.each(shapes)("a file of %d by %d for %d seconds", (width, height, seconds) => {
  const bytes = Buffer.from(writeMp4({ width, height, seconds, seed: 7 }));

  test("has its boxes in order, the description first", () => {
    const boxes = boxesOf(bytes);
    expect(boxes.map(({ type }) => type)).toEqual(["ftyp", "moov", "mdat"]);
    const header = find(boxes, "moov", "mvhd").content;
    expect(header.readUInt32BE(16) / header.readUInt32BE(12)).toBe(seconds);
    const track = find(boxes, "moov", "trak", "tkhd").content;
    expect(track.readUInt32BE(76) / 65_536).toBe(width);
    expect(track.readUInt32BE(80) / 65_536).toBe(height);
    expect(picturesOf(bytes)).toHaveLength(seconds * 24);
  });

  test("is read by a media library", async () => {
    const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
    const track = await input.getPrimaryVideoTrack();
    expect(await input.computeDuration()).toBe(seconds);
    expect([track?.displayWidth, track?.displayHeight]).toEqual([width, height]);
    expect(await track?.getCodecParameterString()).toMatch(/^avc1\.42c0[0-9a-f]{2}$/);
    const stats = await track?.computePacketStats();
    expect(stats?.packetCount).toBe(seconds * 24);
  });

  test("decodes to plain fields of several colours, over which something moves", () => {
    const { sequence, picture } = settingsOf(bytes);
    const shown = readSequence(sequence);
    expect(shown).toMatchObject({ width, height });
    const settings = new BitReader(picture);
    const read = [settings.unsigned(), settings.unsigned(), settings.bits(2), settings.unsigned()];
    expect(read).toEqual([0, 0, 0, 0]);
    expect([settings.unsigned(), settings.unsigned(), settings.bits(3)]).toEqual([0, 0, 0]);
    expect([settings.signed(), settings.signed(), settings.signed()]).toEqual([2, 0, 0]);
    expect(settings.bits(3)).toBe(4);
    const [whole, ...changes] = picturesOf(bytes);
    if (!whole) throw new Error("no picture");
    expect(whole[0]).toBe(0x65);
    let blocks = decodeWhole(whole, shown.columns, shown.rows);
    expect(new Set(blocks.map(String)).size).toBeGreaterThan(2);
    const seen = new Set([blocks.join(" ")]);
    for (const [index, unit] of changes.entries()) {
      expect(unit[0]).toBe(0x61);
      blocks = decodeChange(unit, (index + 1) % 256, blocks, shown.columns);
      expect(blocks.flat().every((value) => value >= 16 && value <= 240)).toBeTrue();
      seen.add(blocks.join(" "));
    }
    expect(seen.size).toBeGreaterThan(seconds);
  });
});

test("no unit holds a start code", () => {
  for (const unit of picturesOf(Buffer.from(writeMp4({ width: 640, height: 360, seconds: 30 })))) {
    for (const code of [0, 1, 2]) expect(unit.indexOf(Buffer.of(0, 0, code))).toBe(-1);
  }
});

test("the seed decides the colours, and the same shape gives the same bytes", () => {
  const shape = { width: 320, height: 180, seconds: 1 };
  expect(writeMp4({ ...shape, seed: 1 })).toEqual(writeMp4({ ...shape, seed: 1 }));
  expect(writeMp4({ ...shape, seed: 1 })).not.toEqual(writeMp4({ ...shape, seed: 2 }));
});
