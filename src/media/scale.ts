// Pictures made smaller for lists: a few at a time, never one that would fill memory, and the
// latest are remembered.
import { Lru } from "../core/lru.ts";
import type { OpenMedia } from "./media.ts";

interface ScaledPicture {
  type: "image/webp";
  bytes: Uint8Array;
}

/** The widths there are, so that what is remembered is asked for again. */
export const scaledWidths: readonly number[] = [160, 320, 640];

const sourceBytesMax = 64 * 1024 * 1024;
/** A decoded picture takes four bytes a pixel. */
const pixelsMax = 50_000_000;
const atOnceMax = 2;
const waitingMax = 64;
/** Some 20 KB each. */
const rememberedMax = 256;
const quality = 75;

export class Scaler {
  readonly #remembered = new Lru<string, Promise<ScaledPicture | null>>(rememberedMax);
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Null of what is no picture, too large a one, or one that cannot be read. */
  async scale(media: OpenMedia, width: number): Promise<ScaledPicture | null> {
    if (!media.type.startsWith("image/") || media.bytes > sourceBytesMax) return null;
    const name = `${width} ${media.id}`;
    const known = this.#remembered.get(name);
    if (known) return await known;
    if (this.#waiting.length >= waitingMax) return null;
    const scaling = this.#exclusively(() => shrink(media, width));
    this.#remembered.set(name, scaling);
    return await scaling;
  }

  async #exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= atOnceMax) {
      // A job that ends leaves its place to the one that has waited longest.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

async function shrink(media: OpenMedia, width: number): Promise<ScaledPicture | null> {
  try {
    const part = media.part(0, media.bytes);
    const source =
      part instanceof Blob ? await part.bytes() : await Bun.readableStreamToBytes(part);
    const image = new Bun.Image(source, { maxPixels: pixelsMax });
    const { width: widthNow, height } = await image.metadata();
    const target = Math.min(width, widthNow);
    const shrunk = image.resize(target, Math.max(1, Math.round((height * target) / widthNow)));
    return { type: "image/webp", bytes: await shrunk.webp({ quality }).bytes() };
  } catch {
    return null;
  }
}
