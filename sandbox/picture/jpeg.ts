// A baseline JPEG of fields. A block of eight by eight pixels has one colour, so that all of it is
// in its first coefficient: the difference to that of the block before, and the end of the block.
import { HighBits } from "./bytes.ts";
import type { Scene } from "./scene.ts";

const blockPixels = 8;
/** The first coefficient is eight times the mean, so with this divisor it is the mean itself. */
const divisor = 8;
const bitDepth = 8;
const middle = 128;
const components = [1, 2, 3];
/** Number of codes of each length, the shortest first; the codes are for 0 to 11. */
const firstCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
/** Lengths and codes of those, as they follow from the counts. */
const firstLengths = [2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9];
const firstCodes = [0b00, 0b010, 0b011, 0b100, 0b101, 0b110, 0xe, 0x1e, 0x3e, 0x7e, 0xfe, 0x1fe];
/** All other coefficients are said to be none. */
const restCounts = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

export function writeJpeg(scene: Scene): Uint8Array {
  const { width, height } = scene;
  return Buffer.concat([
    Uint8Array.of(0xff, 0xd8),
    segment(0xe0, [..."JFIF\0"].map(codeOf), [1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(
      0xdb,
      [0],
      Array.from({ length: 64 }, () => divisor),
    ),
    segment(
      0xc0,
      [bitDepth, height >> 8, height & 0xff, width >> 8, width & 0xff, components.length],
      components.flatMap((id) => [id, 0x11, 0]),
    ),
    segment(0xc4, [0x00, ...firstCounts], Array.from(firstCodes.keys())),
    segment(0xc4, [0x10, ...restCounts], [0]),
    segment(0xda, [components.length, ...components.flatMap((id) => [id, 0x00])], [0, 63, 0]),
    blocksOf(scene),
    Uint8Array.of(0xff, 0xd9),
  ]);
}

function segment(marker: number, ...parts: readonly number[][]): Uint8Array {
  const content = parts.flat();
  const length = content.length + 2;
  return Uint8Array.of(0xff, marker, length >> 8, length & 0xff, ...content);
}

function blocksOf(scene: Scene): Uint8Array {
  const { cellPixels, columns, rows } = scene;
  const means = meansOf(scene);
  const perCell = cellPixels / blockPixels;
  const across = Math.ceil(scene.width / blockPixels);
  const down = Math.ceil(scene.height / blockPixels);
  const bits = new HighBits();
  const before = [0, 0, 0];
  for (let at = 0; at < across * down; at++) {
    const column = Math.min(Math.floor((at % across) / perCell), columns - 1);
    const row = Math.min(Math.floor(Math.floor(at / across) / perCell), rows - 1);
    for (let part = 0; part < 3; part++) {
      const mean = means[(row * columns + column) * 3 + part] ?? 0;
      writeDifference(bits, mean - (before[part] ?? 0));
      before[part] = mean;
    }
  }
  return bits.written();
}

/** Brightness and the two differences of colour, around zero. */
function meansOf({ colours }: Scene): Int16Array {
  const means = new Int16Array(colours.length);
  for (let at = 0; at < colours.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = colours.subarray(at, at + 3);
    const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    means[at] = Math.round(brightness) - middle;
    means[at + 1] = Math.round((blue - brightness) / 1.772);
    means[at + 2] = Math.round((red - brightness) / 1.402);
  }
  return means;
}

function writeDifference(bits: HighBits, difference: number): void {
  const size = 32 - Math.clz32(Math.abs(difference));
  bits.bits(firstLengths[size] ?? 0, firstCodes[size] ?? 0);
  // Below zero the bits are those of the amount, turned over.
  if (size > 0) bits.bits(size, difference > 0 ? difference : difference + (1 << size) - 1);
  bits.bits(1, 0);
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}
