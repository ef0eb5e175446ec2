// Fields of a manxue request.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import { readPrompt, readSeed, readTextField, readTruth, readWhole } from "../kit/fields.ts";
import { audio, choice, negativePrompt, seconds, seed, watermark } from "../kit/form.ts";
import { findModel, newJob } from "../kit/job.ts";
import { readMedia, urlOrFile } from "../kit/media.ts";
import { openMetadata } from "../kit/metadata.ts";
import { readRatioField, readResolution, readSizeHint, sixRatios } from "../kit/shape.ts";
import type { VideoJob } from "../video-job.ts";
import { readContent } from "./content.ts";
import { models } from "./models.ts";

const secondsDefault = 5;
const secondsRange = { min: 4, max: 15 };
const resolutions = ["480p", "720p"];
const firstFrame = { kind: "image", role: "first-frame", forms: urlOrFile } as const;
const reference = { kind: "image", role: "reference", forms: urlOrFile } as const;
const ownNames = {
  seconds: "seconds",
  ratio: "ratio",
  resolution: "resolution",
  size: "size",
  audio: "generate_audio",
  negative: "negative_prompt",
  watermark: "watermark",
  seed: "seed",
} as const;

export function parse(request: JsonObject): VideoJob {
  const model = findModel(request, models);
  const prompt = readPrompt(request);
  const { body, extras } = openMetadata(request, ownNames);
  const content = readContent(body);
  const hint = readSizeHint(body, sixRatios);
  const hinted = resolutions.find((known) => known === hint.resolution) ?? null;
  return newJob({
    model,
    // A text item is normally the prompt once more.
    prompt: [...new Set([prompt, ...content.texts])].join("\n"),
    negativePrompt: readTextField(body, ["negative_prompt"]),
    seconds: readWhole(body, ["seconds", "duration"], secondsRange) ?? secondsDefault,
    ratio: readRatioField(body, ["ratio", "aspect_ratio"], sixRatios) ?? hint.ratio,
    resolution: readResolution(body, resolutions) ?? hinted,
    audio: readTruth(body, ["generate_audio"]),
    watermark: readTruth(body, ["watermark"]),
    seed: readSeed(body),
    media: [
      ...content.media,
      ...readMedia(body, ["image"], firstFrame),
      ...readMedia(body, ["images", "input_reference"], reference),
    ],
    extras,
  });
}

export function fields(): FamilyField[] {
  return [
    seconds(secondsRange, secondsDefault),
    choice("aspect_ratio", sixRatios),
    choice("resolution", resolutions),
    audio,
    watermark,
    negativePrompt,
    seed,
  ];
}
