// The neutral shape of images that are asked for. Families yield it, upstreams run it, and neither
// knows the other.
import type { Json, JsonObject } from "../core/json.ts";
import type { JobSource } from "./video-job.ts";

export interface ImageJob {
  kind: "generate" | "edit";
  /** The family's name of the model, as it was resolved. */
  model: string;
  /** The client's name for it; absent where that is the family's name. */
  asked?: string;
  prompt: string;
  /** The count of images; at least one. */
  count: number;
  /** In pixels; null leaves it to the vendor. */
  size: { width: number; height: number } | null;
  /** The model promises its sizes: a vendor that would make another one must not be asked. */
  isSizeExact?: boolean;
  /** A size class such as "1K", "2K", "4K", where the client asked for that instead. */
  sizeClass: string | null;
  /** Such as "16:9". */
  ratio: string | null;
  /** The client's word for it, in lower case; null when it said nothing. */
  quality: string | null;
  /** Three-valued: false is not the same as unsaid. */
  watermark: boolean | null;
  style: Json | null;
  background: Json | null;
  outputFormat: "png" | "jpeg" | "webp" | null;
  seed: number | null;
  /** Images to edit, or that lend their looks; the first is the one that a mask belongs to. */
  images: JobImage[];
  mask: JobImage | null;
  /** The form in which the client wants the images back; null leaves it to us. */
  delivery: "url" | "b64_json" | null;
  /** True for server-sent events. */
  stream: boolean;
  /** The count of unfinished pictures that the stream shows; null when nothing was said. */
  partialImages: number | null;
  /** The vendor's own parameters, as the client named them. */
  extras: JsonObject;
}

export interface JobImage {
  source: JobSource;
  /** The field the client put it in, such as `image.1`. */
  param: string;
}

/** Units that images are charged by, besides tokens where the vendor counts those. */
export interface ImageUnits {
  images: number;
  /** Such as "1024x1024", or a class such as "2K". */
  size: string | null;
  /** The class by count of pixels: "1k", "2k" or "4k", as it is expected where nothing was said. */
  resolution: string | null;
  quality: string | null;
}
