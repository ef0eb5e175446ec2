// The files as others read them: by their headers, and by decoders of the few things that are
// written, which follow the standards and not the writers.
import { describe, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { readImageSize } from "../../src/core/image-size.ts";
import { drawPicture, type PictureFormat } from "./index.ts";

const formats: PictureFormat[] = ["png", "jpeg", "webp"];
const sizes = [
  [1024, 1024],
  [1920, 1080],
  [1080, 1920],
  [3840, 2160],
  [37, 19],
  [1, 1],
] as const;

type Pixels = (x: number, y: number) => number[];

function draw(width: number, height: number, format: PictureFormat, seed = "fox"): Buffer {
  return Buffer.from(drawPicture({ width, height, format, seed }));
}

function chunksOf(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const named = bytes.subarray(at + 4, at + 8 + length);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(Bun.hash.crc32(named));
    chunks.set(named.toString("latin1", 0, 4), named.subarray(4));
    at += 12 + length;
  }
  return chunks;
}

/** Lines of true colour with the filters "none" and "up"; the inflater checks the checksum. */
function decodePng(bytes: Buffer): Pixels {
  const chunks = chunksOf(bytes);
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  const head = chunks.get("IHDR") ?? Buffer.alloc(0);
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  expect([...head.subarray(8)]).toEqual([8, 2, 0, 0, 0]);
  const lineBytes = 1 + width * 3;
  const lines = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  expect(lines.length).toBe(height * lineBytes);
  for (let y = 0; y < height; y++) {
    const from = y * lineBytes;
    expect([0, 2]).toContain(lines[from] ?? -1);
    if (lines[from] === 0) continue;
    for (let at = from + 1; at < from + lineBytes; at++) {
      lines[at] = (lines[at] ?? 0) + (lines[at - lineBytes] ?? 0);
    }
  }
  return (x, y) => [...lines.subarray(y * lineBytes + 1 + x * 3, y * lineBytes + 4 + x * 3)];
}

function segmentsOf(bytes: Buffer): { marker: number; content: Buffer; end: number }[] {
  const segments = [];
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    segments.push({ marker, content: bytes.subarray(at + 4, end), end });
    if (marker === 0xda) break;
    at = end;
  }
  return segments;
}

/** Codes as texts of digits, each with its symbol. */
function huffman(content: Buffer): Map<string, number> {
  const codes = new Map<string, number>();
  let code = 0;
  let at = 17;
  for (let length = 1; length <= 16; length++) {
    for (let count = content[length] ?? 0; count > 0; count--) {
      codes.set(code.toString(2).padStart(length, "0"), content[at++] ?? 0);
      code++;
    }
    code <<= 1;
  }
  return codes;
}

/** Blocks whose coefficients are all zero but the first. */
function decodeJpeg(bytes: Buffer): Pixels {
  const segments = segmentsOf(bytes);
  const content = (marker: number) => segments.filter((one) => one.marker === marker);
  const divisor = content(0xdb)[0]?.content[1] ?? 0;
  const tables = content(0xc4).map((one) => huffman(one.content));
  const [first = new Map<string, number>(), rest = new Map<string, number>()] = tables;
  const scan = bytes.subarray(segments.at(-1)?.end, -2).filter((_, at, all) => {
    return !(all[at] === 0 && all[at - 1] === 0xff);
  });
  let at = 0;
  const bit = () => String(((scan[at >> 3] ?? 0) >> (7 - (at++ & 7))) & 1);
  const symbol = (table: Map<string, number>): number => {
    let code = bit();
    while (!table.has(code) && code.length <= 16) code += bit();
    return table.get(code) ?? Number.NaN;
  };
  const { width = 0, height = 0 } = readImageSize("image/jpeg", bytes) ?? {};
  const [across, down] = [Math.ceil(width / 8), Math.ceil(height / 8)];
  const before = [0, 0, 0];
  const blocks = Array.from({ length: across * down }, () =>
    before.map((last, part) => {
      const size = symbol(first);
      const digits = Array.from({ length: size }, bit).join("");
      const amount = size === 0 ? 0 : Number.parseInt(digits, 2);
      const isPositive = digits.startsWith("1") || size === 0;
      before[part] = last + (isPositive ? amount : amount - 2 ** size + 1);
      expect(symbol(rest)).toBe(0);
      return ((before[part] ?? 0) * divisor) / 8;
    }),
  );
  expect(Math.ceil(at / 8)).toBe(scan.length);
  return (x, y) => {
    const [light = 0, blue = 0, red = 0] = blocks[(y >> 3) * across + (x >> 3)] ?? [];
    const bright = light + 128;
    const parts = [
      bright + 1.402 * red,
      bright - 0.344 * blue - 0.714 * red,
      bright + 1.772 * blue,
    ];
    return parts.map(Math.round);
  };
}

class BitReader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bits(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++, this.at++) {
      value |= (((this.#bytes[this.at >> 3] ?? 0) >> (this.at & 7)) & 1) << bit;
    }
    return value;
  }
}

type Codes = Map<string, number>;

function canonical(lengths: readonly number[]): Codes {
  const codes: Codes = new Map();
  let code = 0;
  for (let length = 1; length <= 15; length++) {
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) codes.set((code++).toString(2).padStart(length, "0"), symbol);
    }
    code <<= 1;
  }
  // All bits are used up: a code that is not complete is refused by decoders.
  expect(code).toBe(2 ** 16);
  return codes;
}

function readSymbol(reader: BitReader, codes: Codes): number {
  if (codes.has("")) return codes.get("") ?? 0;
  let code = "";
  do code += reader.bits(1);
  while (!codes.has(code) && code.length <= 15);
  return codes.get(code) ?? Number.NaN;
}

const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

function readCodes(reader: BitReader, symbols: number): Codes {
  if (reader.bits(1) === 1) {
    const count = reader.bits(1) + 1;
    const first = reader.bits(reader.bits(1) === 1 ? 8 : 1);
    if (count === 1) return new Map([["", first]]);
    return new Map([
      ["0", first],
      ["1", reader.bits(8)],
    ]);
  }
  const lengths = Array.from({ length: 19 }, () => 0);
  const count = reader.bits(4) + 4;
  for (const length of lengthOrder.slice(0, count)) lengths[length] = reader.bits(3);
  const codes = canonical(lengths);
  expect(reader.bits(1)).toBe(0);
  return canonical(Array.from({ length: symbols }, () => readSymbol(reader, codes)));
}

/** No transforms, no cache, one group of codes; copies of the pixel above and at the left. */
function decodeWebp(bytes: Buffer): Pixels {
  expect(bytes.toString("latin1", 8, 16)).toBe("WEBPVP8L");
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  const image = bytes.subarray(20, 20 + bytes.readUInt32LE(16));
  const reader = new BitReader(image);
  expect(reader.bits(8)).toBe(0x2f);
  const [width, height] = [reader.bits(14) + 1, reader.bits(14) + 1];
  expect(reader.bits(7)).toBe(0);
  const [green, red, blue, alpha, distance] = [280, 256, 256, 256, 40].map((symbols) =>
    readCodes(reader, symbols),
  );
  const read = (codes: Codes = new Map()) => readSymbol(reader, codes);
  const pixels: number[][] = [];
  while (pixels.length < width * height) {
    const symbol = read(green);
    if (symbol < 256) {
      pixels.push([read(red), symbol, read(blue)]);
      expect(read(alpha)).toBe(255);
      continue;
    }
    const prefix = symbol - 256;
    const extra = prefix < 4 ? 0 : (prefix - 2) >> 1;
    const length = prefix < 4 ? prefix : ((2 + (prefix & 1)) << extra) + reader.bits(extra);
    const back = read(distance) === 0 ? width : 1;
    for (let left = length + 1; left > 0; left--) pixels.push(pixels.at(-back) ?? []);
  }
  expect(pixels).toHaveLength(width * height);
  expect(Math.ceil(reader.at / 8)).toBe(image.length);
  return (x, y) => pixels[y * width + x] ?? [];
}

describe("a picture", () => {
  test.each(sizes.flatMap((size) => formats.map((format) => [...size, format] as const)))(
    "of %dx%d as %s says so in its header",
    (width, height, format) => {
      const bytes = draw(width, height, format);
      expect(readImageSize(`image/${format}`, bytes)).toEqual({ width, height });
    },
  );

  test.each([
    [320, 200],
    [37, 19],
    [1000, 8],
  ])("of %dx%d shows the same in all formats", (width, height) => {
    const [png, jpeg, webp] = [decodePng, decodeJpeg, decodeWebp].map((decode, at) =>
      decode(draw(width, height, formats[at] ?? "png")),
    );
    for (let at = 0; at < 60; at++) {
      const [x, y] = [(at * 7919) % width, (at * 104_729) % height];
      const colour = png?.(x, y) ?? [];
      expect(webp?.(x, y)).toEqual(colour);
      for (const [part, amount] of (jpeg?.(x, y) ?? []).entries()) {
        expect(Math.abs(amount - (colour[part] ?? 0))).toBeLessThanOrEqual(3);
      }
    }
  });

  test.each(formats)(
    "as %s is another one for another seed, and the same for the same",
    (format) => {
      expect(draw(512, 512, format, "a cat")).toEqual(draw(512, 512, format, "a cat"));
      expect(draw(512, 512, format, "a cat").equals(draw(512, 512, format, "a dog"))).toBe(false);
    },
  );

  test("has its words in it, and what is no letter leaves a gap", () => {
    const ask = { width: 512, height: 512, format: "png", seed: "fox" } as const;
    const pixels = decodePng(Buffer.from(drawPicture({ ...ask, label: "i 😀\n" })));
    const white = [255, 255, 255];
    // The letter stands one field from the corner; its first row has three fields in the middle.
    expect([1, 2, 3, 4, 5].map((column) => pixels(column * 8, 8))).toEqual([
      expect.not.arrayContaining([255]),
      white,
      white,
      white,
      expect.not.arrayContaining([255]),
    ]);
    const plain = drawPicture({ ...ask, label: " 😀" });
    expect(Buffer.from(plain).equals(draw(512, 512, "png"))).toBe(true);
    expect(() =>
      drawPicture({ ...ask, width: 3, height: 3, label: "x".repeat(900) }),
    ).not.toThrow();
  });

  test("as large as they come is a small file", () => {
    for (const format of formats) {
      const bytes = draw(4096, 4096, format);
      expect(readImageSize(`image/${format}`, bytes)).toEqual({ width: 4096, height: 4096 });
      expect(bytes.length).toBeLessThan(1024 * 1024);
    }
  });
});
