// A job of images as it is kept with its task: everything but the bytes of its references. So it
// can be shown and charged for, and never be sent a second time.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { ImageJob, JobImage } from "./image-job.ts";

export function toImageRow(job: ImageJob): JsonObject {
  const { images, mask, ...rest } = job;
  return { ...rest, images: images.map(withoutBytes), mask: mask && withoutBytes(mask) };
}

function withoutBytes({ source, param }: JobImage): JsonObject {
  return { param, source: source.kind === "bytes" ? { ...source, base64: "" } : { ...source } };
}

/** Facts shown of a job while there is no result that says them better. */
interface ImageRow {
  /** Such as "1024x1024", or a class such as "2K". */
  size: string | null;
  quality: string | null;
  delivery: "url" | "b64_json";
}

export function readImageRow(row: JsonObject): ImageRow {
  const { size, sizeClass, quality, delivery } = row;
  return {
    size: isObject(size) ? `${String(size["width"])}x${String(size["height"])}` : textOf(sizeClass),
    quality: textOf(quality),
    delivery: delivery === "b64_json" ? "b64_json" : "url",
  };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
