// Fields of a videoC 1.5 request.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import { readChoice, readPrompt, readSeed, readTruth, readWhole } from "../kit/fields.ts";
import { audio, choice, seconds, seed, watermark } from "../kit/form.ts";
import { findModel, newJob } from "../kit/job.ts";
import { readMedia, urlOrFile } from "../kit/media.ts";
import { openMetadata } from "../kit/metadata.ts";
import { nearestRatio, parseSize, readRatioField, sixRatios } from "../kit/shape.ts";
import type { JobMedia, VideoJob } from "../video-job.ts";
import { modelOf, models, resolutions } from "./models.ts";

const secondsDefault = 5;
const secondsRange = { min: 4, max: 11 };
const resolutionDefault = "720p";
const sizes = [...sixRatios, "keep_ratio", "adaptive"];
const frame = { kind: "image", role: "first-frame", forms: urlOrFile } as const;
const ownNames = {
  seconds: "seconds",
  ratio: "size",
  size: "size",
  resolution: "resolution",
  audio: "generate_audio",
  watermark: "watermark",
  seed: "seed",
} as const;

export function parse(request: JsonObject): VideoJob {
  const model = findModel(request, models);
  const prompt = readPrompt(request);
  const { body, extras } = openMetadata(request, ownNames);
  const resolution =
    model.resolution ?? readChoice(body, ["resolution"], resolutions) ?? resolutionDefault;
  const size = readRatioField(body, ["size", "aspect_ratio", "ratio"], sizes);
  return newJob({
    model: modelOf(resolution),
    prompt,
    seconds: readWhole(body, ["seconds", "duration"], secondsRange) ?? secondsDefault,
    ratio: size === "keep_ratio" ? "adaptive" : size,
    resolution,
    audio: readTruth(body, ["generate_audio"]),
    watermark: readTruth(body, ["watermark"]),
    seed: readSeed(body),
    media: readFrames(body),
    extras,
  });
}

/** The unified route may give pixels, where only a ratio is of use. */
export function fromSize(text: string): JsonObject {
  const size = parseSize(text);
  return { size: size === null ? text : nearestRatio(size, sixRatios) };
}

function readFrames(body: JsonObject): JobMedia[] {
  const first = readMedia(body, ["first_frame_image", "image"], frame).slice(0, 1);
  const last = readMedia(body, ["last_frame_image"], { ...frame, role: "last-frame" });
  const others = readMedia(body, ["images", "input_reference"], { ...frame, role: "reference" });
  const [only] = others;
  // A single picture without a frame to compete with is what the video begins with.
  if (first.length === 0 && only && others.length === 1) {
    return [{ ...only, role: "first-frame" }, ...last];
  }
  return [...first, ...last, ...others];
}

export function fields(model: string): FamilyField[] {
  const isFixed = models.get(model)?.resolution !== null;
  const resolution = choice("resolution", resolutions, { usual: resolutionDefault });
  return [
    seconds(secondsRange, secondsDefault),
    choice("aspect_ratio", sizes),
    ...(isFixed ? [] : [resolution]),
    audio,
    watermark,
    seed,
  ];
}
