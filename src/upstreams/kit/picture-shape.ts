// Sizes of pictures as vendors and clients write them: pixels, a ratio, a class such as "2K".

export interface Size {
  width: number;
  height: number;
}

export interface Ratio {
  across: number;
  down: number;
}

export function sizeText({ width, height }: Size): string {
  return `${width}x${height}`;
}

/** Null when it is no ratio. */
export function readRatio(text: string): Ratio | null {
  const [, across, down] = /^([1-9]\d{0,3}):([1-9]\d{0,3})$/.exec(text) ?? [];
  return across === undefined ? null : { across: Number(across), down: Number(down) };
}

/** In its lowest terms. */
export function ratioOf({ width, height }: Size): Ratio {
  const divisor = greatestDivisor(width, height);
  return { across: width / divisor, down: height / divisor };
}

const thousand = 1024;

/** Pixels of a square picture of this class; null when it is no class. */
export function classPixels(text: string): number | null {
  const [, thousands, plain] = /^(?:([1-9])K|([1-9]\d{2,3}))$/i.exec(text) ?? [];
  if (thousands !== undefined) return (Number(thousands) * thousand) ** 2;
  return plain === undefined ? null : Number(plain) ** 2;
}

/** The sides, not yet whole, of a picture with this ratio and so many pixels. */
export function sidesOf({ across, down }: Ratio, pixels: number): Size {
  const width = Math.sqrt((pixels * across) / down);
  return { width, height: pixels / width };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
