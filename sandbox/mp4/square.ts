// The moving part of a video: a square of a few blocks that goes to and fro, and has another colour
// each second, so that even a picture of a single block changes.
import type { Block } from "./h264.ts";

export interface Square {
  /** Its colour, as a number that grows. */
  paint: number;
  left: number;
  top: number;
  side: number;
  covers(block: Block): boolean;
}

/** In pictures. */
const crossing = { across: 48, down: 120, paint: 24 };
const sideShare = 6;
const sideMax = 8;

export function squareAt({ columns, rows }: { columns: number; rows: number }, at: number): Square {
  const share = Math.round(Math.min(columns, rows) / sideShare);
  const side = Math.min(Math.max(share, 1), sideMax);
  const left = toAndFro(at / crossing.across, columns - side);
  const top = toAndFro(at / crossing.down, rows - side);
  const covers = ({ column, row }: Block) =>
    column >= left && column < left + side && row >= top && row < top + side;
  return { paint: Math.floor(at / crossing.paint), left, top, side, covers };
}

/** From 0 to most and back for every two ways. */
function toAndFro(ways: number, most: number): number {
  const share = ways % 2;
  return Math.round((share > 1 ? 2 - share : share) * most);
}

/** Blocks in which two pictures differ, in the order of reading. */
export function changedBlocks(before: Square, after: Square): Block[] {
  const isRepainted = before.paint !== after.paint;
  const blocks: Block[] = [];
  const [top, bottom] = [Math.min(before.top, after.top), Math.max(before.top, after.top)];
  const [left, right] = [Math.min(before.left, after.left), Math.max(before.left, after.left)];
  for (let row = top; row < bottom + after.side; row++) {
    for (let column = left; column < right + after.side; column++) {
      const block = { column, row };
      const [was, is] = [before.covers(block), after.covers(block)];
      if (was !== is || (is && isRepainted)) blocks.push(block);
    }
  }
  return blocks;
}
