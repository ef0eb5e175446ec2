// Fields of a videoC 2.0 request. Its media are addresses or registered assets, never bytes.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import {
  pick,
  readDecimal,
  readPrompt,
  readSeed,
  readTextField,
  readTruth,
  textFieldOf,
} from "../kit/fields.ts";
import {
  audio as audioField,
  choice,
  negativePrompt,
  openChoice,
  seconds,
  seed,
  watermark,
} from "../kit/form.ts";
import { findModel, newJob } from "../kit/job.ts";
import { readMedia, urlOrAsset } from "../kit/media.ts";
import { openMetadata } from "../kit/metadata.ts";
import { secondsMax } from "../kit/meter.ts";
import { invalidValue } from "../kit/refuse.ts";
import {
  isRatio,
  parseSize,
  readRatioField,
  readResolution,
  sixRatios,
  type PixelSize,
} from "../kit/shape.ts";
import type { JobMedia, VideoJob } from "../video-job.ts";
import { models } from "./models.ts";

const secondsDefault = 5;
const secondsRange = { min: 1, max: secondsMax };
/** The vendor's way to say that it may choose the length. */
const anySeconds = -1;
const image = { kind: "image", role: "reference", forms: urlOrAsset } as const;
const video = { kind: "video", role: "reference", forms: urlOrAsset } as const;
const audio = { kind: "audio", role: "reference", forms: urlOrAsset } as const;
const ownNames = {
  seconds: "duration",
  ratio: "aspect_ratio",
  size: "size",
  resolution: "resolution",
  audio: "generate_audio",
  negative: "negative_prompt",
  watermark: "watermark",
  seed: "seed",
} as const;

export function parse(request: JsonObject): VideoJob {
  refuseFiles(request);
  const { model, resolutions } = findModel(request, models);
  const prompt = readPrompt(request);
  const { body, extras } = openMetadata(request, ownNames);
  return newJob({
    model,
    prompt,
    negativePrompt: readTextField(body, ["negative_prompt"]),
    seconds: readLength(body),
    ratio: readRatioField(body, ["aspect_ratio", "ratio"], sixRatios),
    size: readSize(body),
    resolution: readResolution(body, resolutions),
    watermark: readTruth(body, ["watermark"]),
    audio: readTruth(body, ["generate_audio"]),
    seed: readSeed(body),
    media: [...readFrames(body), ...readReferences(body)],
    extras,
  });
}

/** The unified route's size may be a ratio, for which this family has another field. */
export function fromSize(size: string): JsonObject {
  return isRatio(size) ? { aspect_ratio: size } : { size };
}

function readLength(body: JsonObject): number | null {
  const names = ["duration", "seconds"];
  const { min, max } = secondsRange;
  const length = readDecimal(body, names, { min: anySeconds, max }) ?? secondsDefault;
  if (length === anySeconds) return null;
  if (length >= min) return length;
  throw invalidValue(pick(body, names)?.param ?? "duration", `must be from ${min} to ${max}`);
}

function readSize(body: JsonObject): PixelSize | null {
  const field = pick(body, ["size"]);
  if (field === null) return null;
  const size = parseSize(textFieldOf(field));
  if (size === null) throw invalidValue(field.param, "must be a size in pixels like 1280x720");
  return size;
}

function readFrames(body: JsonObject): JobMedia[] {
  const first = readMedia(body, ["first_image", "image"], { ...image, role: "first-frame" });
  const last = readMedia(body, ["last_image"], { ...image, role: "last-frame" });
  if (last.length > 0 && first.length === 0) throw invalidValue("last_image", "needs first_image");
  return [...first.slice(0, 1), ...last];
}

function readReferences(body: JsonObject): JobMedia[] {
  return [
    ...readMedia(body, ["reference_image_urls", "images", "input_reference"], image),
    ...readMedia(body, ["reference_video_url", "reference_video_urls"], video),
    ...readMedia(body, ["reference_audios", "reference_audio_urls", "audio_url"], audio),
  ];
}

/** Refuse a file anywhere in a form: one that is passed over in silence is a video without it. */
function refuseFiles(body: JsonObject): void {
  for (const [name, value] of Object.entries(body)) {
    const values = Array.isArray(value) ? value : [value];
    const hasFile = values.some((item) => isObject(item) && typeof item["base64"] === "string");
    if (hasFile) throw invalidValue(name, "must be a URL or an asset:// reference, not a file");
  }
}

export function fields(model: string): FamilyField[] {
  return [
    seconds(secondsRange, secondsDefault),
    choice("aspect_ratio", sixRatios),
    choice("resolution", models.get(model)?.resolutions ?? []),
    openChoice("size", []),
    audioField,
    watermark,
    negativePrompt,
    seed,
  ];
}
