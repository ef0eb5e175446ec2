// Files that are made of boxes: pictures, sound and films differ in what is inside, and not in how
// they begin.

interface Box {
  type: string;
  from: number;
  end: number;
}

const headBytes = 8;

/** The boxes at the top; null where they do not add up to the file. */
function boxesOf(bytes: Buffer): Box[] | null {
  const boxes: Box[] = [];
  let at = 0;
  while (at + headBytes <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    const end = size === 0 ? bytes.length : at + size;
    if ((size !== 0 && size < headBytes) || end > bytes.length) return null;
    boxes.push({ type: bytes.toString("latin1", at + 4, at + 8), from: at + headBytes, end });
    at = end;
  }
  return boxes;
}

/** The main brand, and those that it is compatible with. */
function brandsOf(bytes: Buffer, { from, end }: Box): string[] {
  const brands = [bytes.toString("latin1", from, from + 4)];
  for (let at = from + 8; at + 4 <= end; at += 4) brands.push(bytes.toString("latin1", at, at + 4));
  return brands;
}

const pictureBrands = new Set(["heic", "heix", "avif"]);
const pictureCompanions = new Set([...pictureBrands, "mif1", "mif2", "miaf", "MiHB", "MiHE"]);
const moreCompanions = new Set(["MA1A", "MA1B", "tmap", "iso8", "unif", "MiPr", "pict"]);

/** One still picture, and no sequence: no brand of one, and no tracks. */
export function isHeifPicture(bytes: Buffer): boolean {
  const boxes = boxesOf(bytes);
  const [first] = boxes ?? [];
  if (!boxes || first?.type !== "ftyp") return false;
  const [main = "", ...others] = brandsOf(bytes, first);
  if (!pictureBrands.has(main)) return false;
  if (!others.every((one) => pictureCompanions.has(one) || moreCompanions.has(one))) return false;
  return boxes[1]?.type === "meta" && !boxes.some(({ type }) => /^(?:moov|moof)$/.test(type));
}

/** Tracks of sound alone. */
export function isMp4Sound(bytes: Buffer): boolean {
  const boxes = boxesOf(bytes);
  const [first] = boxes ?? [];
  if (!boxes || first?.type !== "ftyp" || !/^M4[AB] $/.test(brandsOf(bytes, first)[0] ?? "")) {
    return false;
  }
  const tracks = boxes.filter(({ type }) => type === "moov");
  if (tracks.length !== 1 || boxes.some(({ type }) => type === "moof")) return false;
  return tracks.every(({ from, end }) => {
    const inside = bytes.subarray(from, end);
    return inside.includes("hdlr") && inside.includes("soun") && !inside.includes("vide");
  });
}
