// Real pictures, of any size and in three formats, without an encoder: coloured fields that follow
// from a seed, and on request a few words in large letters.
import { Lru } from "../../src/core/lru.ts";
import { writeJpeg } from "./jpeg.ts";
import { writePng } from "./png.ts";
import { paint, type Scene } from "./scene.ts";
import { writeWebp } from "./webp.ts";

export type PictureFormat = "png" | "jpeg" | "webp";

export interface PictureAsk {
  width: number;
  height: number;
  format: PictureFormat;
  /** Another seed, another picture. */
  seed: string;
  /** Words to be seen in it, as far as there is room. */
  label?: string;
}

const writers: Readonly<Record<PictureFormat, (scene: Scene) => Uint8Array>> = {
  png: writePng,
  jpeg: writeJpeg,
  webp: writeWebp,
};

const drawn = new Lru<string, Uint8Array>(16);

/** The same question always gives the same bytes. */
export function drawPicture({ format, label = "", ...ask }: PictureAsk): Uint8Array {
  const name = JSON.stringify([ask.width, ask.height, format, ask.seed, label]);
  const known = drawn.get(name);
  if (known) return known;
  const bytes = writers[format](paint({ ...ask, label }));
  drawn.set(name, bytes);
  return bytes;
}
