// H.264 in its baseline profile: one picture of plain coloured blocks, then pictures that say
// "as before" of all blocks but a few. At the quality chosen here a level is a difference of
// exactly one step of brightness or two of colour, so that what is written is what a player shows.
import { BitWriter } from "./bits.ts";

/** One of the squares that pictures are made of. */
export interface Block {
  column: number;
  row: number;
}

/** Brightness and colour; the two colour values are even. */
export interface Colour {
  y: number;
  cb: number;
  cr: number;
}

export interface Picture {
  width: number;
  height: number;
  colourAt(block: Block): Colour;
}

const blockPixels = 16;
const baselineProfile = 66;
const constrained = 0xc0;
const quality = 28;
const frameNumberBits = 8;
const unitHeader = { sequence: 0x67, picture: 0x68, whole: 0x65, change: 0x61 };
/** Kinds of blocks that stand for themselves are counted from here where others may build on it. */
const ownKindsFrom = { whole: 0, change: 5 };

/** The least level for so many blocks a picture at 24 pictures a second. */
const levels: readonly [blocksMax: number, level: number][] = [
  [396, 13],
  [792, 21],
  [1620, 30],
  [3600, 31],
  [5120, 32],
  [8192, 40],
  [22_080, 50],
  [36_864, 51],
];
const topLevel = 60;

export function blocksOf({ width, height }: Pick<Picture, "width" | "height">) {
  return { columns: Math.ceil(width / blockPixels), rows: Math.ceil(height / blockPixels) };
}

export function sequenceSet(picture: Picture): Uint8Array {
  const { columns, rows } = blocksOf(picture);
  const [, level = topLevel] = levels.find(([most]) => columns * rows <= most) ?? [];
  const right = (columns * blockPixels - picture.width) / 2;
  const bottom = (rows * blockPixels - picture.height) / 2;
  const bits = new BitWriter()
    .bits(8, baselineProfile)
    .bits(8, constrained)
    .bits(8, level)
    .unsigned(0)
    .unsigned(frameNumberBits - 4)
    // Pictures are shown in the order in which they come.
    .unsigned(2)
    .unsigned(1)
    .bits(1, 0)
    .unsigned(columns - 1)
    .unsigned(rows - 1)
    // Whole frames, no fields.
    .bits(2, 0b11);
  const isCropped = right > 0 || bottom > 0;
  bits.bits(1, isCropped ? 1 : 0);
  if (isCropped) bits.unsigned(0).unsigned(right).unsigned(0).unsigned(bottom);
  return bits.bits(1, 0).toUnit(unitHeader.sequence);
}

export function pictureSet(): Uint8Array {
  const bits = new BitWriter().unsigned(0).unsigned(0).bits(2, 0).unsigned(0);
  bits.unsigned(0).unsigned(0).bits(3, 0);
  bits
    .signed(quality - 26)
    .signed(0)
    .signed(0);
  // Slices may switch the smoothing of edges off.
  return bits.bits(3, 0b100).toUnit(unitHeader.picture);
}

const noSmoothing = 1;

export function wholePicture(picture: Picture): Uint8Array {
  const bits = new BitWriter().unsigned(0).unsigned(7).unsigned(0).bits(frameNumberBits, 0);
  bits.unsigned(0).bits(2, 0).signed(0).unsigned(noSmoothing);
  const { columns, rows } = blocksOf(picture);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      writeBlock(bits, picture, { column, row }, ownKindsFrom.whole);
    }
  }
  return bits.toUnit(unitHeader.whole);
}

/** The picture before it, but for these blocks, which come in the order of reading. */
export function changedPicture(
  picture: Picture,
  at: number,
  changed: readonly Block[],
): Uint8Array {
  const { columns, rows } = blocksOf(picture);
  const bits = new BitWriter().unsigned(0).unsigned(5).unsigned(0);
  bits.bits(frameNumberBits, at % 2 ** frameNumberBits).bits(3, 0);
  bits.signed(0).unsigned(noSmoothing);
  let next = 0;
  for (const block of changed) {
    const place = block.row * columns + block.column;
    bits.unsigned(place - next);
    writeBlock(bits, picture, block, ownKindsFrom.change);
    next = place + 1;
  }
  const skipped = columns * rows - next;
  if (skipped > 0) bits.unsigned(skipped);
  return bits.toUnit(unitHeader.change);
}

/** Neighbour that a block is guessed from, in the numbers of the standard. */
interface Prediction {
  brightnessMode: number;
  colourMode: number;
  guess: Colour;
}

function predictionOf(picture: Picture, { column, row }: Block): Prediction {
  if (column > 0) {
    const guess = picture.colourAt({ column: column - 1, row });
    return { brightnessMode: 1, colourMode: 1, guess };
  }
  if (row > 0) {
    const guess = picture.colourAt({ column, row: row - 1 });
    return { brightnessMode: 0, colourMode: 2, guess };
  }
  return { brightnessMode: 2, colourMode: 0, guess: { y: 128, cb: 128, cr: 128 } };
}

const brightnessTokens = { none: "1", one: "01", more: "000101" };
const colourTokens = { none: "01", one: "1", more: "000111" };

function writeBlock(bits: BitWriter, picture: Picture, block: Block, kindsFrom: number): void {
  const colour = picture.colourAt(block);
  const { guess, brightnessMode, colourMode } = predictionOf(picture, block);
  const levelCb = (colour.cb - guess.cb) / 2;
  const levelCr = (colour.cr - guess.cr) / 2;
  const hasColour = levelCb !== 0 || levelCr !== 0;
  bits.unsigned(kindsFrom + 1 + brightnessMode + (hasColour ? 4 : 0)).unsigned(colourMode);
  bits.signed(0);
  writeLevel(bits, colour.y - guess.y, brightnessTokens);
  if (!hasColour) return;
  writeLevel(bits, levelCb, colourTokens);
  writeLevel(bits, levelCr, colourTokens);
}

/** The first coefficient alone, which shifts the whole block. */
function writeLevel(bits: BitWriter, level: number, tokens: typeof brightnessTokens): void {
  if (level === 0) {
    bits.code(tokens.none);
    return;
  }
  if (Math.abs(level) === 1) bits.code(tokens.one).bits(1, level < 0 ? 1 : 0);
  else writeMagnitude(bits.code(tokens.more), level);
  // No zeros stand before it.
  bits.bits(1, 1);
}

/** Levels of one have a code of their own, so the count begins at two. */
function writeMagnitude(bits: BitWriter, level: number): void {
  const code = 2 * (Math.abs(level) - 2) + (level < 0 ? 1 : 0);
  if (code < 14) bits.bits(code, 0).bits(1, 1);
  else if (code < 30)
    bits
      .bits(14, 0)
      .bits(1, 1)
      .bits(4, code - 14);
  else
    bits
      .bits(15, 0)
      .bits(1, 1)
      .bits(12, code - 30);
}
