// Small files as clients may send them: honest pictures, and others that look like one. A file
// that is small here stands for one that is as small and holds far more.

function latin(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

function box(type: string, ...inside: Buffer[]): Buffer {
  const content = Buffer.concat(inside);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** A container of the kind that films, sounds and pictures of phones come in. */
function boxed(brand: string, isFilm: boolean): Buffer {
  const name = box("ftyp", latin(brand), Buffer.alloc(4), latin(brand));
  const film = box("moov", box("trak", box("mdia", box("hdlr", latin("\0\0\0\0\0\0\0\0vide")))));
  const still = box("meta", latin("\0\0\0\0"), box("hdlr", latin("\0\0\0\0\0\0\0\0pict")));
  return Buffer.concat([name, isFilm ? film : still, box("mdat", Buffer.alloc(64, 7))]);
}

function riff(kind: string, ...inside: Buffer[]): Buffer {
  const content = Buffer.concat(inside);
  const head = latin(`RIFF0000${kind}`);
  head.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([head, content]);
}

function wav(samplesPerSecond: number): Buffer {
  const format = Buffer.alloc(24);
  format.write("fmt ", 0, "latin1");
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(1, 8);
  format.writeUInt16LE(1, 10);
  format.writeUInt32LE(samplesPerSecond, 12);
  format.writeUInt32LE(samplesPerSecond, 16);
  format.writeUInt16LE(1, 20);
  format.writeUInt16LE(8, 22);
  const data = Buffer.concat([latin("data\0\x10\0\0"), Buffer.alloc(4096, 128)]);
  return riff("WAVE", format, data);
}

const words = "a plain text of many words, which the vendor reads as text ".repeat(90);

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const gif = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
const jpeg = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
  "base64",
);
const webp = Buffer.from("UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA=", "base64");
const pdf = latin("%PDF-1.4\n1 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nendobj\n%%EOF");

export interface SampleFile {
  name: string;
  mimeType: string;
  bytes: Buffer;
}

export const sampleFiles: readonly SampleFile[] = [
  { name: "png", mimeType: "image/png", bytes: png },
  { name: "jpeg", mimeType: "image/jpeg", bytes: Buffer.concat([jpeg, latin("\xff\xd9")]) },
  { name: "gif", mimeType: "image/gif", bytes: gif },
  { name: "webp", mimeType: "image/webp", bytes: webp },
  { name: "words", mimeType: "text/plain", bytes: latin(words) },
  { name: "words-as-gif", mimeType: "text/plain", bytes: latin(`GIF8 ${words}`) },
  { name: "words-as-webp", mimeType: "text/plain", bytes: latin(`RIFFwordWEBP ${words}`) },
  { name: "words-as-heic", mimeType: "text/plain", bytes: latin(`wordftypheic ${words}`) },
  { name: "words-as-gif-picture", mimeType: "image/gif", bytes: latin(`GIF89a ${words}`) },
  { name: "pdf", mimeType: "application/pdf", bytes: pdf },
  { name: "pdf-behind-gif", mimeType: "application/pdf", bytes: Buffer.concat([gif, pdf]) },
  { name: "pdf-behind-png", mimeType: "image/png", bytes: Buffer.concat([png, pdf]) },
  { name: "pdf-far-behind", mimeType: "image/gif", bytes: farBehind() },
  { name: "zip", mimeType: "application/zip", bytes: latin("PK\x03\x04\x14\0\0\0\x08\0word") },
  { name: "gzip", mimeType: "application/gzip", bytes: latin("\x1f\x8b\x08\0\0\0\0\0\0\x03") },
  { name: "film", mimeType: "video/mp4", bytes: boxed("isom", true) },
  { name: "film-as-heic", mimeType: "image/heic", bytes: boxed("heic", true) },
  { name: "film-as-heis", mimeType: "image/heic", bytes: boxed("heis", true) },
  { name: "film-as-avis", mimeType: "image/avif", bytes: boxed("avis", true) },
  { name: "film-as-mif1", mimeType: "image/heif", bytes: boxed("mif1", true) },
  { name: "film-as-m4a", mimeType: "audio/mp4", bytes: boxed("M4A ", true) },
  { name: "heic", mimeType: "image/heic", bytes: boxed("heic", false) },
  { name: "ogg-film", mimeType: "video/ogg", bytes: ogg("\x80theora") },
  { name: "ogg-film-as-sound", mimeType: "audio/ogg", bytes: ogg("\x80theora") },
  { name: "wav", mimeType: "audio/wav", bytes: wav(8000) },
  { name: "wav-of-hours", mimeType: "audio/wav", bytes: wav(1) },
  {
    name: "flac-of-hours",
    mimeType: "audio/flac",
    bytes: latin(`fLaC\0\0\0\x22${"\0".repeat(60)}`),
  },
  { name: "webm", mimeType: "video/webm", bytes: latin("\x1aE\xdf\xa3\x9fB\x86\x81\x01") },
];

function ogg(codec: string): Buffer {
  const head = latin(`OggS\0\x02${"\0".repeat(20)}\x01\x2a`);
  return Buffer.concat([head, latin(codec), Buffer.alloc(40)]);
}

/** Past the first thousand bytes, where a careless look ends. */
function farBehind(): Buffer {
  const comment = Buffer.alloc(2000, 0);
  return Buffer.concat([gif.subarray(0, -1), comment, pdf, latin(";")]);
}
