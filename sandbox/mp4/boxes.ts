// The boxes of an MP4 file with one video track, the description before the pictures.

interface Track {
  width: number;
  height: number;
  picturesPerSecond: number;
  sequenceSet: Uint8Array;
  pictureSet: Uint8Array;
  /** The first one stands by itself; the others build on the one before. */
  pictures: readonly Uint8Array[];
}

type Piece = Uint8Array | string;

const ticksPerPicture = 1000;
const whole = 0x10000;
const matrix = words(whole, 0, 0, 0, whole, 0, 0, 0, 0x40000000);
const trackEnabledInMovieAndPreview = 7;
const undetermined = 0x55c4;

export function writeFile(track: Track): Uint8Array {
  const type = box("ftyp", "isom", words(0x200), "isomiso2avc1mp41");
  // The place of the pictures is written with a fixed width: the length does not depend on it.
  const headBytes = type.length + movie(track, 0).length;
  const media = box("mdat", ...track.pictures.flatMap((unit) => [words(unit.length), unit]));
  return join([type, movie(track, headBytes + boxHeaderBytes), media]);
}

const boxHeaderBytes = 8;

function movie(track: Track, mediaAt: number): Uint8Array {
  const ticksPerSecond = track.picturesPerSecond * ticksPerPicture;
  const ticks = track.pictures.length * ticksPerPicture;
  const header = fullBox(
    "mvhd",
    0,
    words(0, 0, ticksPerSecond, ticks, whole),
    halves(0x0100, 0),
    words(0, 0),
    matrix,
    words(0, 0, 0, 0, 0, 0, 2),
  );
  const trackHeader = fullBox(
    "tkhd",
    trackEnabledInMovieAndPreview,
    words(0, 0, 1, 0, ticks, 0, 0),
    halves(0, 0, 0, 0),
    matrix,
    words(track.width * whole, track.height * whole),
  );
  const media = box(
    "mdia",
    fullBox("mdhd", 0, words(0, 0, ticksPerSecond, ticks), halves(undetermined, 0)),
    fullBox("hdlr", 0, words(0), "vide", words(0, 0, 0), "VideoHandler\0"),
    mediaInformation(track, mediaAt),
  );
  return box("moov", header, box("trak", trackHeader, media));
}

function mediaInformation(track: Track, mediaAt: number): Uint8Array {
  const selfContained = fullBox("url ", 1);
  return box(
    "minf",
    fullBox("vmhd", 1, halves(0, 0, 0, 0)),
    box("dinf", fullBox("dref", 0, words(1), selfContained)),
    sampleTable(track, mediaAt),
  );
}

function sampleTable(track: Track, mediaAt: number): Uint8Array {
  const { pictures } = track;
  const sizes = pictures.map((unit) => unit.length + 4);
  return box(
    "stbl",
    fullBox("stsd", 0, words(1), sampleEntry(track)),
    fullBox("stts", 0, words(1, pictures.length, ticksPerPicture)),
    fullBox("stss", 0, words(1, 1)),
    fullBox("stsc", 0, words(1, 1, pictures.length, 1)),
    fullBox("stsz", 0, words(0, sizes.length, ...sizes)),
    fullBox("stco", 0, words(1, mediaAt)),
  );
}

function sampleEntry(track: Track): Uint8Array {
  const dotsPerInch = 72 * whole;
  const colourDepth = 24;
  const compressorName = new Uint8Array(32);
  return box(
    "avc1",
    halves(0, 0, 0, 1),
    words(0, 0, 0, 0),
    halves(track.width, track.height),
    words(dotsPerInch, dotsPerInch, 0),
    halves(1),
    compressorName,
    halves(colourDepth, 0xffff),
    decoderSettings(track),
  );
}

function decoderSettings({ sequenceSet, pictureSet }: Track): Uint8Array {
  const lengthsOfFourBytes = 0xff;
  const oneSequenceSet = 0xe1;
  return box(
    "avcC",
    Uint8Array.of(1, ...sequenceSet.subarray(1, 4), lengthsOfFourBytes, oneSequenceSet),
    halves(sequenceSet.length),
    sequenceSet,
    Uint8Array.of(1),
    halves(pictureSet.length),
    pictureSet,
  );
}

function box(type: string, ...pieces: Piece[]): Uint8Array {
  const content = join(pieces);
  return join([words(content.length + boxHeaderBytes), type, content]);
}

/** A box with a version, always 0 here, and flags. */
function fullBox(type: string, flags: number, ...pieces: Piece[]): Uint8Array {
  return box(type, words(flags), ...pieces);
}

function words(...values: number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 4));
  for (const [at, value] of values.entries()) bytes.setUint32(at * 4, value);
  return new Uint8Array(bytes.buffer);
}

function halves(...values: number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 2));
  for (const [at, value] of values.entries()) bytes.setUint16(at * 2, value);
  return new Uint8Array(bytes.buffer);
}

function join(pieces: readonly Piece[]): Uint8Array {
  const encoder = new TextEncoder();
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece)),
  );
}
