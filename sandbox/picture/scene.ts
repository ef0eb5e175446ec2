// Content of a picture before it has a format: a grid of square fields with one colour each. Their
// side is a multiple of eight, so that a block of a JPEG never has two colours.
import { createDraw, type Draw, seedOf } from "../writer/seed.ts";
import { letterCells, letterColumns, letterRows } from "./letters.ts";

export interface Scene {
  width: number;
  height: number;
  /** The side of a field in pixels; the last column and the last row may be cut. */
  cellPixels: number;
  columns: number;
  rows: number;
  /** Red, green and blue of each field, row by row. */
  colours: Uint8Array;
}

const cellsMax = 64;
const blockPixels = 8;
const brightest = 176;
const grain = 6;
const amounts = Array.from({ length: brightest - 2 * grain }, (_, at) => at + grain);
const grains = Array.from({ length: 2 * grain + 1 }, (_, at) => at - grain);
/** Brighter than every field, so that it can be read on all of them. */
const ink = 255;

interface SceneAsk {
  width: number;
  height: number;
  seed: string;
  label: string;
}

export function paint({ width, height, seed, label }: SceneAsk): Scene {
  const side = Math.max(width, height) / cellsMax;
  const cellPixels = Math.max(1, Math.ceil(side / blockPixels)) * blockPixels;
  const columns = Math.ceil(width / cellPixels);
  const rows = Math.ceil(height / cellPixels);
  const colours = new Uint8Array(columns * rows * 3);
  const scene = { width, height, cellPixels, columns, rows, colours };
  paintFields(scene, createDraw(seedOf(seed)));
  writeLabel(scene, label);
  return scene;
}

/** From corner to corner the colours flow into each other, with some grain. */
function paintFields({ columns, rows, colours }: Scene, draw: Draw): void {
  const corners = Array.from({ length: 4 * 3 }, () => draw(amounts) ?? 0);
  const corner = (index: number, part: number): number => corners[index * 3 + part] ?? 0;
  for (let at = 0; at < columns * rows; at++) {
    const across = (at % columns) / columns;
    const down = Math.floor(at / columns) / rows;
    const shift = draw(grains) ?? 0;
    for (let part = 0; part < 3; part++) {
      const top = corner(0, part) * (1 - across) + corner(1, part) * across;
      const bottom = corner(2, part) * (1 - across) + corner(3, part) * across;
      colours[at * 3 + part] = Math.round(top * (1 - down) + bottom * down) + shift;
    }
  }
}

function writeLabel({ columns, rows, colours }: Scene, label: string): void {
  const perLine = Math.floor((columns - 1) / letterColumns);
  const lines = Math.floor((rows - 1) / letterRows);
  const letters = [...label.toUpperCase()].slice(0, Math.max(0, perLine * lines));
  for (const [at, letter] of letters.entries()) {
    const left = 1 + (at % perLine) * letterColumns;
    const top = 1 + Math.floor(at / perLine) * letterRows;
    for (const { column, row } of letterCells(letter)) {
      const cell = (top + row) * columns + left + column;
      colours.fill(ink, cell * 3, cell * 3 + 3);
    }
  }
}
