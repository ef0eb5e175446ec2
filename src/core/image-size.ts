// The size of an image as its header has it. Null when the header is not whole or not within the
// bytes at hand.

export interface ImageSize {
  width: number;
  height: number;
}

export function readImageSize(type: string, bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readers[type]?.(view) ?? null;
  } catch (error) {
    // Reading behind the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Reader = (view: DataView) => ImageSize | null;

const readers: Readonly<Record<string, Reader>> = {
  "image/png": (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  "image/gif": (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  "image/jpeg": readJpeg,
  "image/webp": readWebp,
};

/** Goes from segment to segment until the one that starts a frame. */
function readJpeg(view: DataView): ImageSize | null {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Three markers of the frames' range are for tables and extensions. */
function isFrame(marker: number): boolean {
  if (marker === 0xc4 || marker === 0xc8 || marker === 0xcc) return false;
  return marker >= 0xc0 && marker <= 0xcf;
}

/** The first chunk tells which of the three kinds of file it is. */
function readWebp(view: DataView): ImageSize | null {
  const kind = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)));
  if (kind === "VP8X") return { width: read24(view, 24) + 1, height: read24(view, 27) + 1 };
  if (kind === "VP8L") {
    const packed = view.getUint32(21, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8 ") return null;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function read24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
