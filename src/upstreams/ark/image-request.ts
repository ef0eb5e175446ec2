// Images as Seedream is asked for them, and what it cannot be asked for. It knows no quality, no
// style and no background; unless it is told otherwise, it draws a mark.
import type { Json, JsonObject } from "../../core/json.ts";
import type { ImageJob, JobImage } from "../../families/image-job.ts";
import { hasSeeds, seedAt } from "../kit/image-seed.ts";
import { classPixels, readRatio, sidesOf, sizeText, type Size } from "../kit/picture-shape.ts";

const classes = ["1K", "2K", "4K"];
/** The class it makes when it is told nothing. */
const usualClass = "2K";
const pixelsMin = 1280 * 720;
const pixelsMax = 4096 * 4096;
const quotientMax = 16;
/** Sides that follow from a ratio are multiples of it. */
const step = 16;
/** Limit of the newest models; an older one takes ten and says so itself. */
const imagesMax = 14;
const formats: readonly (string | null)[] = [null, "png", "jpeg"];
const vendorFields = ["guidance_scale", "optimize_prompt_options"];
/** A series: pictures that belong together, as many as the model finds fit. */
const series = "sequential_image_generation";
const seriesOptions = "sequential_image_generation_options";
const seriesMax = 15;

export function lacks(job: ImageJob): string | null {
  const { images, mask, count } = job;
  if (toSize(job) === undefined) return shapeField(job);
  if (mask) return mask.param;
  if (!hasSeeds(job.seed, count)) return "seed";
  if (!formats.includes(job.outputFormat)) return "output_format";
  if (isSeries(job) && count > seriesMax) return "n";
  const strange = images.find(({ source }) => source.kind === "asset") ?? images[imagesMax];
  return strange?.param ?? (job.kind === "edit" && images.length === 0 ? "image" : null);
}

/** The field to blame for a shape that cannot be made. */
function shapeField({ size, sizeClass }: ImageJob): string {
  const isClass = sizeClass === null || classes.includes(sizeClass.toUpperCase());
  return size === null && isClass ? "aspect_ratio" : "size";
}

/** Such a job is one call; any other is one for each image. */
export function isSeries({ extras }: ImageJob): boolean {
  return extras[series] === "auto";
}

/** The `index` is that of the call. */
export function toBody(job: ImageJob, model: string, index: number): JsonObject {
  const images = job.images.map(urlOf);
  const fields: Record<string, Json | undefined> = {
    ...Object.fromEntries(
      Object.entries(job.extras).filter(([name]) => vendorFields.includes(name)),
    ),
    model,
    prompt: job.prompt,
    image: images.length > 1 ? images : images[0],
    size: toSize(job) ?? undefined,
    seed: seedAt(job.seed, index) ?? undefined,
    watermark: job.watermark ?? undefined,
    output_format: job.outputFormat ?? undefined,
    response_format: job.delivery ?? "url",
    ...(isSeries(job)
      ? { [series]: "auto", [seriesOptions]: { max_images: job.count } }
      : { [series]: "disabled" }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function urlOf({ source }: JobImage): string {
  if (source.kind === "url") return source.url;
  return source.kind === "bytes" ? `data:${source.type};base64,${source.base64}` : "";
}

/** Null leaves it to the vendor, and undefined is a size that it cannot make. */
export function toSize({ size, sizeClass, ratio }: ImageJob): string | null | undefined {
  if (size !== null) return isTaken(size) ? sizeText(size) : undefined;
  const name = sizeClass?.toUpperCase() ?? null;
  if (name !== null && !classes.includes(name)) return undefined;
  if (ratio === null) return name;
  const shape = readRatio(ratio);
  const pixels = classPixels(name ?? usualClass);
  if (shape === null || pixels === null) return undefined;
  const sides = sidesOf(shape, pixels);
  const rounded = { width: stepped(sides.width), height: stepped(sides.height) };
  return isTaken(rounded) ? sizeText(rounded) : undefined;
}

function stepped(side: number): number {
  return Math.floor(side / step) * step;
}

function isTaken({ width, height }: Size): boolean {
  const pixels = width * height;
  const quotient = Math.max(width, height) / Math.min(width, height);
  return pixels >= pixelsMin && pixels <= pixelsMax && quotient <= quotientMax;
}
