// Reads what media is from its bytes: type, picture size, length. Only the parts of the file that
// tell are read, and never more than a bound.
import { readImageSize } from "../core/image-size.ts";
import { mediaKindOf, sniff, sniffBytes, type MediaKind, type MediaType } from "./sniff.ts";

export interface Probe {
  type: MediaType;
  kind: MediaKind;
  width: number | null;
  height: number | null;
  /** Null when it has no length, or when that cannot be told. */
  seconds: number | null;
}

/** Camera files carry previews and profiles before the frame that tells the size. */
const imageHeadBytes = 1024 * 1024;
const readBytesMax = 64 * 1024 * 1024;

/** Null when it is not media that is known here. */
export async function probe(file: Blob): Promise<Probe | null> {
  const type = sniff(await bytesOf(file, 0, sniffBytes));
  if (type === null) return null;
  const kind = mediaKindOf(type);
  if (kind === "image") {
    const size = readImageSize(type, await bytesOf(file, 0, imageHeadBytes));
    return { type, kind, width: size?.width ?? null, height: size?.height ?? null, seconds: null };
  }
  return { type, kind, ...(await probeTracks(file)) };
}

async function bytesOf(file: Blob, start: number, end: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(start, Math.min(end, file.size)).arrayBuffer());
}

const untold = { width: null, height: null, seconds: null };

/** The reader is large and needed rarely, so it is loaded on first need. */
async function probeTracks(file: Blob): Promise<Pick<Probe, "width" | "height" | "seconds">> {
  const { CustomSource, Input, MP3, MP4, QTFF, WAVE, WEBM } = await import("mediabunny");
  let readBytes = 0;
  const source = new CustomSource({
    getSize: () => file.size,
    read(start, end) {
      readBytes += end - start;
      if (readBytes > readBytesMax) throw new RangeError("too much of the file has to be read");
      return bytesOf(file, start, end);
    },
  });
  const input = new Input({ source, formats: [MP4, QTFF, WEBM, MP3, WAVE] });
  try {
    const seconds = await input.computeDuration();
    const track = await input.getPrimaryVideoTrack();
    return {
      seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
      width: (await track?.getDisplayWidth()) ?? null,
      height: (await track?.getDisplayHeight()) ?? null,
    };
  } catch {
    // Any fault inside an untrusted file only means that it cannot be told.
    return untold;
  } finally {
    input.dispose();
  }
}
