// Real video files, small and playable everywhere, without an encoder: a picture of coloured fields
// and a square that wanders over it for as long as was asked.
import { Lru } from "../../src/core/lru.ts";
import { createDraw } from "../writer/seed.ts";
import { writeFile } from "./boxes.ts";
import * as h264 from "./h264.ts";
import { changedBlocks, squareAt, type Square } from "./square.ts";

export interface VideoShape {
  /** Even. */
  width: number;
  height: number;
  seconds: number;
  /** Another seed, other colours. */
  seed?: number;
}

const picturesPerSecond = 24;
const fieldColumns = 8;
const fieldRows = 5;
const grey: h264.Colour = { y: 128, cb: 128, cr: 128 };
const palette: readonly h264.Colour[] = [
  { y: 235, cb: 128, cr: 128 },
  { y: 62, cb: 102, cr: 240 },
  { y: 32, cb: 240, cr: 118 },
  { y: 173, cb: 42, cr: 26 },
  { y: 188, cb: 154, cr: 16 },
  { y: 219, cb: 16, cr: 138 },
  { y: 78, cb: 214, cr: 230 },
  { y: 130, cb: 60, cr: 170 },
  { y: 16, cb: 128, cr: 128 },
];

const written = new Lru<string, Uint8Array>(32);

/** The same shape always gives the same bytes. */
export function writeMp4({ width, height, seconds, seed = 0 }: VideoShape): Uint8Array {
  const name = [width, height, seconds, seed].join(" ");
  const known = written.get(name);
  if (known) return known;
  const picture = fieldsOf({ width, height, seconds, seed });
  const count = Math.max(1, Math.round(seconds * picturesPerSecond));
  const bytes = writeFile({
    width,
    height,
    picturesPerSecond,
    sequenceSet: h264.sequenceSet(picture),
    pictureSet: h264.pictureSet(),
    pictures: picturesOf(picture, count),
  });
  written.set(name, bytes);
  return bytes;
}

function picturesOf(fields: h264.Picture, count: number): Uint8Array[] {
  const blocks = h264.blocksOf(fields);
  const squares = Array.from({ length: count }, (_, at) => squareAt(blocks, at));
  const shown = squares.map((square) => withSquare(fields, square));
  return shown.map((picture, at) => {
    const [square, before] = [squares[at], squares[at - 1]];
    if (!square || !before) return h264.wholePicture(picture);
    return h264.changedPicture(picture, at, changedBlocks(before, square));
  });
}

function withSquare(fields: h264.Picture, square: Square): h264.Picture {
  const colour = palette[square.paint % palette.length] ?? grey;
  const colourAt = (block: h264.Block) => (square.covers(block) ? colour : fields.colourAt(block));
  return { ...fields, colourAt };
}

function fieldsOf({ width, height, seed }: Required<VideoShape>): h264.Picture {
  const { columns, rows } = h264.blocksOf({ width, height });
  const draw = createDraw(seed);
  const fields = Array.from({ length: fieldColumns * fieldRows }, () => draw(palette) ?? grey);
  const colourAt = ({ column, row }: h264.Block): h264.Colour => {
    const across = Math.floor((column * fieldColumns) / columns);
    const down = Math.floor((row * fieldRows) / rows);
    return fields[down * fieldColumns + across] ?? grey;
  };
  return { width, height, colourAt };
}
