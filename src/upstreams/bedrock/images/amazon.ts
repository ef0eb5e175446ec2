// Pictures by Amazon's own models, Nova Canvas and Titan: PNG, of sides in steps or of a few sizes,
// and variations where pictures are given.
import { crc32 } from "node:zlib";
import type { JsonObject } from "../../../core/json.ts";
import type { ImageJob } from "../../../families/image-job.ts";
import { noImage, withheld } from "../../kit/image-reply.ts";
import { seedAt } from "../../kit/image-seed.ts";
import { classPixels, readRatio, sidesOf, sizeText, type Size } from "../../kit/picture-shape.ts";
import { listIn, textOf } from "../../kit/vendor-reply.ts";
import { base64Of, pictureReply, type PictureCall, type PictureModel } from "./picture-model.ts";

const step = 16;
const side = { min: 320, max: 4096 };
const quotientMax = 4;
const pixelsMax = 2048 * 2048;
const referencesMax = 5;
const square = { across: 1, down: 1 };
/** The greatest that every one of its models takes. */
const seedMax = 858_993_459;

/** Sizes of Titan, which makes no others, with the longer side first. */
const titanSizes = new Set(
  [
    ["1024x1024", "768x768", "512x512"],
    ["1152x768", "576x384", "1280x768", "640x384", "1152x896", "576x448"],
    ["1408x768", "704x384", "1408x640", "704x320"],
  ].flat(),
);

const finer = new Set<string | null>(["high", "hd", "xhigh", "max"]);
const plain = new Set<string | null>(["low", "medium", "standard"]);

export const amazonImages: PictureModel = {
  lacks(job) {
    if (sizeOf(job) === undefined) return "size";
    if (job.outputFormat !== null && job.outputFormat !== "png") return "output_format";
    return job.images[referencesMax]?.param ?? null;
  },
  toBody(job, call) {
    return { ...taskOf(job), imageGenerationConfig: configOf(job, call) };
  },
  read(body) {
    const base64 = textOf(listIn(body, "images")[0]);
    const error = textOf(body["error"]);
    if (base64 === null) throw error === null ? noImage() : withheld(error);
    return pictureReply(base64, "png");
  },
};

function taskOf({ prompt: text, images }: ImageJob): JsonObject {
  if (images.length === 0) return { taskType: "TEXT_IMAGE", textToImageParams: { text } };
  const imageVariationParams = { text, images: images.map(base64Of) };
  return { taskType: "IMAGE_VARIATION", imageVariationParams };
}

function configOf(job: ImageJob, { reference, index }: PictureCall): JsonObject {
  const quality = finer.has(job.quality) ? "premium" : plain.has(job.quality) ? "standard" : null;
  return {
    numberOfImages: 1,
    ...sizeOf(job),
    ...(quality !== null && { quality }),
    seed: seedAt(job.seed, index) ?? seedOf(`${reference} ${index}`),
  };
}

/** Left unsaid it would be the same each time, and so would the picture. */
function seedOf(text: string): number {
  return crc32(text) % (seedMax + 1);
}

/** Null leaves it to the vendor, undefined is a shape that the model cannot make. */
function sizeOf({ model, ...job }: ImageJob): Size | null | undefined {
  const wanted = wantedSize(job);
  if (!wanted) return wanted;
  const size = { width: stepped(wanted.width), height: stepped(wanted.height) };
  if (job.isSizeExact && job.size !== null && sizeText(size) !== sizeText(job.size))
    return undefined;
  const [shorter, longer] = [size.width, size.height].toSorted((a, b) => a - b);
  if (shorter === undefined || longer === undefined) return undefined;
  if (/titan/.test(model)) {
    return titanSizes.has(sizeText({ width: longer, height: shorter })) ? size : undefined;
  }
  const isWithin = shorter >= side.min && longer <= side.max && longer <= shorter * quotientMax;
  return isWithin && size.width * size.height <= pixelsMax ? size : undefined;
}

function wantedSize({
  size,
  sizeClass,
  ratio,
}: Pick<ImageJob, "size" | "sizeClass" | "ratio">): Size | null | undefined {
  if (size !== null) return size;
  if (sizeClass === null && ratio === null) return null;
  const shape = ratio === null ? square : readRatio(ratio);
  const pixels = classPixels(sizeClass ?? "1K");
  return shape && pixels ? sidesOf(shape, pixels) : undefined;
}

function stepped(length: number): number {
  return Math.round(length / step) * step;
}
