// Fields of a videoD request.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import {
  isLonger,
  pick,
  readPrompt,
  readSeed,
  readTextField,
  readTruth,
  readWhole,
} from "../kit/fields.ts";
import { choice, negativePrompt, seconds, seed, watermark } from "../kit/form.ts";
import { findModel, newJob } from "../kit/job.ts";
import { openMetadata } from "../kit/metadata.ts";
import { invalidValue, missing } from "../kit/refuse.ts";
import { isRatio, nearestRatio, parseSize, sixRatios } from "../kit/shape.ts";
import type { VideoJob } from "../video-job.ts";
import { modelFor, models, resolutions, type Model } from "./models.ts";
import { readAllMedia } from "./media.ts";

const promptCharactersMax = 7000;
const secondsRange = { min: 4, max: 15 };
const secondsNames = ["duration", "seconds"];
const ratioDefault = "16:9";
const resolutionNames = ["resolution", "video_resolution", "size"];
const ownNames = {
  seconds: "duration",
  ratio: "ratio",
  resolution: "resolution",
  size: "size",
  negative: "negative_prompt",
  watermark: "watermark",
  seed: "seed",
} as const;

export function parse(request: JsonObject): VideoJob {
  const { body, extras } = openMetadata(request, ownNames);
  const model = findModel(body, models) ?? modelFor(resolutionsIn(body));
  return newJob({
    model: model.model,
    prompt: readBoundedPrompt(body),
    negativePrompt: readTextField(body, ["negative_prompt"]),
    ...readOutput(body, model),
    watermark: readTruth(body, ["watermark"]),
    seed: readSeed(body),
    media: readAllMedia(body, model),
    extras,
  });
}

/** The unified route's size may be a ratio; pixels tell both the ratio and the resolution. */
export function fromSize(text: string): JsonObject {
  if (isRatio(text)) return { ratio: text };
  const size = parseSize(text);
  return size === null ? { size: text } : { size: text, ratio: nearestRatio(size, sixRatios) };
}

function readOutput(
  body: JsonObject,
  { resolution, tier }: Model,
): Pick<VideoJob, "seconds" | "ratio" | "resolution" | "tier"> {
  const length = readWhole(body, secondsNames, secondsRange);
  if (length === null) throw missing("duration");
  return { seconds: length, ratio: readRatioOrDefault(body), resolution, tier };
}

function readBoundedPrompt(body: JsonObject): string {
  const prompt = readPrompt(body);
  if (!isLonger(prompt, promptCharactersMax)) return prompt;
  throw invalidValue("prompt", `is longer than ${promptCharactersMax} characters`);
}

/** A ratio that is not supported falls back, as if it were not there. */
function readRatioOrDefault(body: JsonObject): string {
  const value = pick(body, ["ratio", "aspect_ratio"])?.value;
  return sixRatios.find((ratio) => ratio === value) ?? ratioDefault;
}

function resolutionsIn(body: JsonObject): string[] {
  return resolutionNames.flatMap((name) => {
    const value = pick(body, [name])?.value;
    return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  });
}

export function fields(model: string): FamilyField[] {
  const isOpen = models.get(model) === null;
  const usual = modelFor([]).resolution;
  return [
    seconds(secondsRange, null, { isRequired: true }),
    choice("aspect_ratio", sixRatios, { usual: ratioDefault }),
    ...(isOpen ? [choice("resolution", resolutions, { usual })] : []),
    watermark,
    negativePrompt,
    seed,
  ];
}
