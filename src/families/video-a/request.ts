// Fields of a videoA request.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import {
  pick,
  readPrompt,
  readSeed,
  readTextField,
  readWhole,
  textFieldOf,
} from "../kit/fields.ts";
import { anyRatio, anyResolution, negativePrompt, openChoice, seconds, seed } from "../kit/form.ts";
import { findModel, newJob } from "../kit/job.ts";
import { anyForm, readMedia } from "../kit/media.ts";
import { openMetadata } from "../kit/metadata.ts";
import { secondsMax } from "../kit/meter.ts";
import { invalidValue } from "../kit/refuse.ts";
import { isRatio, parseSize, readRatioField, readResolution } from "../kit/shape.ts";
import type { VideoJob } from "../video-job.ts";
import { models } from "./models.ts";

const secondsDefault = 8;
const secondsRange = { min: 1, max: secondsMax };
const firstFrame = { kind: "image", role: "first-frame", forms: anyForm } as const;
const reference = { kind: "image", role: "reference", forms: anyForm } as const;
const ownNames = {
  seconds: "duration",
  size: "size",
  resolution: "resolution",
  ratio: "aspect_ratio",
  negative: "negative_prompt",
  seed: "seed",
} as const;

export function parse(request: JsonObject): VideoJob {
  const model = findModel(request, models);
  const prompt = readPrompt(request);
  const { body, extras } = openMetadata(request, ownNames);
  return newJob({
    model,
    prompt,
    negativePrompt: readTextField(body, ["negative_prompt"]),
    seconds: readWhole(body, ["duration", "seconds"], secondsRange) ?? secondsDefault,
    resolution: readResolution(body),
    seed: readSeed(body),
    ...readShape(body),
    media: [
      ...readMedia(body, ["image"], firstFrame),
      ...readMedia(body, ["input_reference", "images"], reference),
    ],
    extras,
  });
}

/** A ratio in place of a size is understood; a size in pixels says more than a ratio does. */
function readShape(body: JsonObject): Pick<VideoJob, "size" | "ratio"> {
  const ratio = readRatioField(body, ["aspect_ratio"]);
  const field = pick(body, ["size"]);
  if (field === null) return { size: null, ratio };
  const text = textFieldOf(field);
  if (isRatio(text)) return { size: null, ratio: ratio ?? text };
  const size = parseSize(text);
  if (size === null) throw invalidValue(field.param, "must be a size like 1280x720");
  return { size, ratio: null };
}

export function fields(): FamilyField[] {
  const length = seconds(secondsRange, secondsDefault);
  return [length, anyRatio, anyResolution, openChoice("size", []), negativePrompt, seed];
}
