// Images as Gemini is asked for them, and what it cannot be asked for. It chooses the format of its
// pictures, knows no quality, no style and no background, and draws no mark that can be seen.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { ImageJob, JobImage } from "../../../families/image-job.ts";
import { hasSeeds, seedAt } from "../image-seed.ts";
import { classPixels, readRatio, type Size } from "../picture-shape.ts";

const ratios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"];
const classes = ["512", "1K", "2K", "4K"];
/** Those that stand for a size in pixels; the smallest is not known to every model. */
const pixelClasses = ["1K", "2K", "4K"];
/** The farthest a size may be from the ratio that it is taken for. */
const driftMax = 0.05;
/** Makes pictures of one class and takes no word about it. */
const plainModel = /flash-lite-image/;
const plainClass = "1K";
const imagesMax = 14;
const fileTypes = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/** The vendor's own parameters that clients may set, by each of their spellings. */
const parameterNames: ReadonlyMap<string, string> = new Map([
  ["temperature", "temperature"],
  ["topP", "topP"],
  ["top_p", "topP"],
]);
const safetyNames = ["safetySettings", "safety_settings"];

interface Shape {
  ratio: string | null;
  sizeClass: string | null;
}

export function lacks(job: ImageJob): string | null {
  const shape = shapeOf(job);
  if (shape === null) return "size";
  if (shape.ratio !== null && !ratios.includes(shape.ratio)) return "aspect_ratio";
  if (!isClassOf(job.model, shape.sizeClass)) return "size";
  if (job.outputFormat !== null) return "output_format";
  if (!hasSeeds(job.seed, job.count)) return "seed";
  if (job.mask) return job.mask.param;
  const strange = job.images.find((image) => !isFile(image)) ?? job.images[imagesMax];
  return strange?.param ?? (job.kind === "edit" && job.images.length === 0 ? "image" : null);
}

function isClassOf(model: string, sizeClass: string | null): boolean {
  if (sizeClass === null) return true;
  return plainModel.test(model) ? sizeClass === plainClass : classes.includes(sizeClass);
}

/** It takes bytes alone: it fetches nothing. */
function isFile({ source }: JobImage): boolean {
  return source.kind === "bytes" && fileTypes.includes(source.type);
}

/** Null when the size is near none of the vendor's ratios, or has to be exact and cannot be. */
export function shapeOf({ size, sizeClass, ratio, isSizeExact }: ImageJob): Shape | null {
  if (size === null) return { ratio, sizeClass: sizeClass?.toUpperCase() ?? null };
  // Only of a square does a ratio and a class say the pixels.
  if (isSizeExact && !isClassSquare(size)) return null;
  const nearest = nearestRatio(size);
  return nearest === null ? null : { ratio: nearest, sizeClass: leastClass(size) };
}

function isClassSquare({ width, height }: Size): boolean {
  return width === height && pixelClasses.some((name) => classPixels(name) === width * height);
}

function nearestRatio({ width, height }: Size): string | null {
  const drift = (text: string): number => {
    const { across, down } = readRatio(text) ?? { across: 1, down: 1 };
    return Math.abs((width * down) / (height * across) - 1);
  };
  const nearest = ratios.reduce((best, ratio) => (drift(ratio) < drift(best) ? ratio : best));
  return drift(nearest) <= driftMax ? nearest : null;
}

/** The least class with as many pixels, so that nobody gets less than was asked for. */
function leastClass({ width, height }: Size): string {
  return pixelClasses.find((name) => (classPixels(name) ?? 0) >= width * height) ?? "4K";
}

/** The `index` is that of the call. */
export function toRequest(job: ImageJob, model: string, index: number): JsonObject {
  const seed = seedAt(job.seed, index);
  const { ratio, sizeClass } = shapeOf(job) ?? { ratio: null, sizeClass: null };
  const imageConfig = present({
    aspectRatio: ratio,
    imageSize: plainModel.test(model) ? null : sizeClass,
  });
  const safety = safetyNames.map((name) => job.extras[name]).find((value) => value !== undefined);
  return {
    contents: [{ role: "user", parts: [{ text: job.prompt }, ...job.images.map(partOf)] }],
    ...(safety === undefined ? {} : { safetySettings: safety }),
    generationConfig: {
      ...ownParameters(job.extras),
      responseModalities: ["TEXT", "IMAGE"],
      ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
      ...(seed === null ? {} : { seed }),
    },
  };
}

function partOf({ source }: JobImage): JsonObject {
  if (source.kind !== "bytes") return {};
  return { inlineData: { mimeType: source.type, data: source.base64 } };
}

function present(fields: Record<string, string | null>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function ownParameters(extras: JsonObject): JsonObject {
  const entries = Object.entries(extras).flatMap(([name, value]): [string, Json][] => {
    const own = parameterNames.get(name);
    return own === undefined || value === undefined ? [] : [[own, value]];
  });
  return Object.fromEntries(entries);
}
