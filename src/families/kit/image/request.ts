// Fields of every request for images, whichever family it is for.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { FamilyField } from "../../field.ts";
import type { ImageAsk } from "../../image-family.ts";
import type { ImageJob } from "../../image-job.ts";
import {
  isLonger,
  pick,
  readChoice,
  readPrompt,
  readSeed,
  readTruth,
  readWhole,
  unwrapText,
} from "../fields.ts";
import { choice, number, seed, watermark } from "../form.ts";
import { invalidValue, missing } from "../refuse.ts";
import { readImages, readMask, type ReferenceLimits } from "./references.ts";

export interface ImageLimits {
  countMax: number;
  qualities: readonly string[];
  references: ReferenceLimits;
}

/** All of the job but its model, its shape and what only the vendor knows. */
type Shared = Omit<ImageJob, "model" | "size" | "sizeClass" | "ratio" | "extras">;

export const usualQualities: readonly string[] = ["low", "medium", "high", "xhigh", "max", "auto"];
const promptCharactersMax = 32_000;
const partialImagesRange = { min: 0, max: 3 };
const outputFormats = { png: "png", jpeg: "jpeg", jpg: "jpeg", webp: "webp" } as const;

export function readShared(body: JsonObject, { kind }: ImageAsk, limits: ImageLimits): Shared {
  return {
    kind,
    prompt: readBoundedPrompt(body),
    count: readImageCount(body, limits.countMax) ?? 1,
    quality: readChoice(body, ["quality"], limits.qualities),
    watermark: readTruth(body, ["watermark"]),
    style: readOpaque(body, "style"),
    background: readOpaque(body, "background"),
    outputFormat: readOutputFormat(body),
    seed: readSeed(body),
    ...readMedia(body, kind, limits.references),
    delivery: readChoice(body, ["response_format"], ["url", "b64_json"]),
    stream: readTruth(body, ["stream"]) ?? false,
    partialImages: readWhole(body, ["partial_images"], partialImagesRange),
  };
}

/** Fields a form offers of it: the count first, as nearly everybody asks for that. */
export function sharedFields({ countMax, qualities }: Omit<ImageLimits, "references">) {
  const formats = [...new Set(Object.values(outputFormats))];
  return [
    number("n", { min: 1, max: countMax }, { usual: "1" }),
    choice("quality", qualities),
    choice("output_format", formats),
    watermark,
    seed,
  ] satisfies FamilyField[];
}

/** None is as good as nothing said: both are null. */
export function readImageCount(body: JsonObject, countMax: number): number | null {
  return readWhole(body, ["n"], { min: 0, max: countMax }) || null;
}

function readBoundedPrompt(body: JsonObject): string {
  const prompt = readPrompt(body);
  if (prompt.trim() === "") throw missing("prompt");
  if (!isLonger(prompt, promptCharactersMax)) return prompt;
  throw invalidValue("prompt", `is longer than ${promptCharactersMax} characters`);
}

function readOutputFormat(body: JsonObject): ImageJob["outputFormat"] {
  const names = ["png", "jpeg", "jpg", "webp"] as const;
  const name = readChoice(body, ["output_format"], names);
  return name === null ? null : outputFormats[name];
}

/** A text or an object, which is for the vendor to judge; a form has the object as JSON. */
function readOpaque(body: JsonObject, name: string): Json | null {
  const field = pick(body, [name]);
  if (field === null) return null;
  const { value } = field;
  if (isObject(value)) return value;
  if (typeof value !== "string") throw invalidValue(name, "must be text or an object");
  return value.trimStart().startsWith("{") ? unwrapText(field) : value;
}

function readMedia(
  body: JsonObject,
  kind: ImageJob["kind"],
  limits: ReferenceLimits,
): Pick<ImageJob, "images" | "mask"> {
  const images = readImages(body, limits);
  if (kind === "edit" && images.length === 0) throw missing("image");
  const mask = readMask(body);
  if (kind === "generate" && mask !== null) throw invalidValue("mask", "is for edits only");
  return { images, mask };
}
