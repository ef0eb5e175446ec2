// Small real files for tests of media.

const rate = 8000;

/** Silence, one byte a sample; `extraBytes` are appended to the sound. */
export function wav(seconds: number, extraBytes = 0): Uint8Array<ArrayBuffer> {
  const soundBytes = Math.round(seconds * rate) + extraBytes;
  const bytes = new Uint8Array(44 + soundBytes).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) => void Buffer.from(text).copy(bytes, at);
  write(0, "RIFF");
  view.setUint32(4, 36 + soundBytes, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, "data");
  view.setUint32(40, soundBytes, true);
  return bytes;
}

/** The header of a picture, which is all that is ever looked at. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}
