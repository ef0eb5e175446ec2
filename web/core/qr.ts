// A QR code of a short text, drawn here so that a secret goes to nobody else: bytes, level M,
// versions 1 to 10, mask 0. Terms and tables are those of ISO/IEC 18004.

/** Blocks of each version: bytes of data, and of correction in each block. */
const versions: readonly (readonly [blocks: number, dataBytes: number, correction: number])[] = [
  [1, 16, 10],
  [1, 28, 16],
  [1, 44, 26],
  [2, 64, 18],
  [2, 86, 24],
  [4, 108, 16],
  [4, 124, 18],
  [4, 154, 22],
  [5, 182, 22],
  [5, 216, 26],
];
const alignments = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

const powers = new Uint8Array(255);
const logs = new Uint8Array(256);
for (let at = 0, value = 1; at < 255; at++) {
  powers[at] = value;
  logs[value] = at;
  value = value & 128 ? (value << 1) ^ 0x11d : value << 1;
}

function multiply(left: number, right: number): number {
  if (left === 0 || right === 0) return 0;
  return powers[((logs[left] ?? 0) + (logs[right] ?? 0)) % 255] ?? 0;
}

/** The remainder by the generator polynomial of this degree. */
function correctionOf(data: readonly number[], degree: number): number[] {
  let generator = [1];
  for (let at = 0; at < degree; at++) {
    const root = powers[at] ?? 0;
    generator = [...generator, 0].map(
      (one, index) => one ^ multiply(generator[index - 1] ?? 0, root),
    );
  }
  const rest = [...data, ...Array.from({ length: degree }, () => 0)];
  for (let at = 0; at < data.length; at++) {
    const lead = rest[at] ?? 0;
    for (const [index, factor] of generator.entries()) {
      rest[at + index] = (rest[at + index] ?? 0) ^ multiply(factor, lead);
    }
  }
  return rest.slice(data.length);
}

/** Mode, length, bytes, end, and the two fillers in turn. */
function dataOf(bytes: Uint8Array, capacity: number, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const data: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    data.push(bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  }
  for (let at = 0; data.length < capacity; at++) data.push(at % 2 === 0 ? 0xec : 0x11);
  return data;
}

/** Blocks woven together, data first; the later ones are longer by one where it does not divide. */
function codewordsOf(data: readonly number[], count: number, degree: number): number[] {
  const short = Math.floor(data.length / count);
  const longFrom = count - (data.length % count);
  const blocks: number[][] = [];
  let start = 0;
  for (let at = 0; at < count; at++) {
    const end = start + short + (at >= longFrom ? 1 : 0);
    blocks.push(data.slice(start, end));
    start = end;
  }
  const corrections = blocks.map((block) => correctionOf(block, degree));
  const weave = (parts: readonly number[][]) =>
    Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, at) =>
      parts.flatMap((part) => part.slice(at, at + 1)),
    ).flat();
  return [...weave(blocks), ...weave(corrections)];
}

/** Rows of dark (true) and light; null where the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const at = versions.findIndex(([, capacity], index) => {
    return bytes.length + (index < 9 ? 2 : 3) <= capacity;
  });
  const chosen = versions[at];
  if (!chosen) return null;
  const [blocks, capacity, degree] = chosen;
  const version = at + 1;
  const grid = patterns(version);
  fill(grid, codewordsOf(dataOf(bytes, capacity, version), blocks, degree));
  return grid.map((row) => row.map((cell) => cell === true));
}

type Grid = (boolean | null)[][];

function patterns(version: number): Grid {
  const size = version * 4 + 17;
  const grid: Grid = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  const set = (y: number, x: number, isDark: boolean) => {
    const row = grid[y];
    if (row && x >= 0 && x < size) row[x] = isDark;
  };
  const square = (y: number, x: number, reach: number, light: readonly number[]) => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        set(y + dy, x + dx, !light.includes(Math.max(Math.abs(dy), Math.abs(dx))));
      }
    }
  };
  for (let at = 8; at < size - 8; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [y, x] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(y, x, 4, [2, 4]);
  const centres = alignments[version - 1] ?? [];
  const last = centres.at(-1) ?? 0;
  for (const y of centres) {
    for (const x of centres) {
      const isCorner = (y === 6 && (x === 6 || x === last)) || (y === last && x === 6);
      if (!isCorner) square(y, x, 2, [1]);
    }
  }
  writeFormat(set, size);
  if (version >= 7) writeVersion(set, size, version);
  return grid;
}

type SetCell = (y: number, x: number, isDark: boolean) => void;

/** Level M and mask 0, with its own correction: 101010000010010. */
function writeFormat(set: SetCell, size: number): void {
  const format = 0b101010000010010;
  for (let at = 0; at < 15; at++) {
    const isDark = ((format >> at) & 1) === 1;
    const near = at < 6 ? at : at < 8 ? at + 1 : 14 - at;
    if (at < 8) set(near, 8, isDark);
    else set(8, at === 8 ? 7 : near, isDark);
    if (at < 8) set(8, size - 1 - at, isDark);
    else set(size - 15 + at, 8, isDark);
  }
  set(size - 8, 8, true);
}

function writeVersion(set: SetCell, size: number, version: number): void {
  let rest = version;
  for (let at = 0; at < 12; at++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at++) {
    const isDark = ((bits >> at) & 1) === 1;
    const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)];
    set(near, far, isDark);
    set(far, near, isDark);
  }
}

/** Up and down in pairs of columns from the right, past the vertical timing line. */
function fill(grid: Grid, codewords: readonly number[]): void {
  const size = grid.length;
  let bit = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      const row = grid[y];
      for (const x of [right, right - 1]) {
        if (!row || row[x] !== null) continue;
        const value = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        bit++;
        row[x] = (value === 1) !== ((y + x) % 2 === 0);
      }
    }
    isUp = !isUp;
  }
}
