// A picture one can see through: what is edited is where a mask lets something through.
import { crc32, deflateSync } from "node:zlib";

const signature = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10];
/** Eight bits of red, green, blue and opacity for each pixel. */
const kind = [8, 6, 0, 0, 0];

/** A PNG of this size that is transparent all over. */
export function maskPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(kind, 8);
  const rows = deflateSync(Buffer.alloc((width * 4 + 1) * height));
  const chunks = [chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from(signature), ...chunks]));
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
