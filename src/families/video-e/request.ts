// Fields of a videoE request, on the routes that all families share.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import {
  isLonger,
  pick,
  readChoice,
  readPrompt,
  readSeed,
  readTextField,
  readTruth,
  readWhole,
} from "../kit/fields.ts";
import { audio, choice, negativePrompt, seed, watermark } from "../kit/form.ts";
import { findModel, newJob } from "../kit/job.ts";
import { anyForm, readMedia } from "../kit/media.ts";
import { openMetadata, pickExtras } from "../kit/metadata.ts";
import { invalidValue, oneOf } from "../kit/refuse.ts";
import { readRatioField, readSizeHint } from "../kit/shape.ts";
import type { JobMedia, VideoJob } from "../video-job.ts";
import { models, type Model } from "./models.ts";

const secondsDefault = 5;
const promptCharactersMax = 2500;
const ratios = ["16:9", "9:16", "1:1"];
const modes = ["std", "pro"] as const;
const ownNames = {
  seconds: "duration",
  ratio: "aspect_ratio",
  size: "size",
  mode: "mode",
  negative: "negative_prompt",
  audio: "generate_audio",
  watermark: "watermark",
  seed: "seed",
} as const;
/** The vendor's own parameters. */
const vendorFields = [
  "cfg_scale",
  "camera_control",
  "static_mask",
  "dynamic_masks",
  "multi_shot",
  "shot_type",
  "multi_prompt",
  "element_list",
  "voice_list",
  "watermark_info",
];
const frame = { kind: "image", role: "first-frame", forms: anyForm } as const;

export function parse(request: JsonObject): VideoJob {
  return parseJob(request, readMediaFields);
}

/** The native routes differ in their media alone. */
export function parseJob(
  request: JsonObject,
  readAllMedia: (body: JsonObject) => JobMedia[],
): VideoJob {
  const model = findModel(request, models);
  const { body, extras } = openMetadata(request, ownNames);
  const hint = readSizeHint(body, ratios);
  return newJob({
    model: model.model,
    prompt: readBounded("prompt", readPrompt(body)),
    negativePrompt: readBounded("negative_prompt", readTextField(body, ["negative_prompt"])),
    seconds: readSeconds(body, model),
    ratio: readRatioField(body, ["aspect_ratio"], ratios) ?? refuseRatio(hint.ratio),
    tier: readChoice(body, ["mode"], modes) === "pro" ? "pro" : "normal",
    audio: readSound(body),
    watermark: readTruth(body, ["watermark"]),
    seed: readSeed(body),
    media: readAllMedia(body),
    extras: { ...pickExtras(body, vendorFields), ...extras },
  });
}

export function readFrames(body: JsonObject, names: readonly string[]): JobMedia[] {
  return [
    ...readMedia(body, names, frame).slice(0, 1),
    ...readMedia(body, ["image_tail"], { ...frame, role: "last-frame" }),
  ];
}

/** A single picture, in whatever field, is what the video begins with. */
function readMediaFields(body: JsonObject): JobMedia[] {
  const frames = readFrames(body, ["image"]);
  const references = readMedia(body, ["images", "input_reference"], {
    ...frame,
    role: "reference",
  });
  const [only] = references;
  if (pick(body, ["image"]) !== null || !only || references.length > 1) {
    return [...frames, ...references];
  }
  return [{ ...only, role: "first-frame" }, ...frames];
}

function readSeconds(body: JsonObject, { seconds }: Model): number {
  const names = ["duration", "seconds"];
  const most = Math.max(...seconds);
  const length = readWhole(body, names, { min: 1, max: most }) ?? secondsDefault;
  if (seconds.includes(length)) return length;
  throw oneOf(pick(body, names)?.param ?? "duration", seconds.map(String));
}

/** The vendor says on and off. */
function readSound(body: JsonObject): boolean | null {
  const sound = readChoice(body, ["sound"], ["on", "off"]);
  return sound === null ? readTruth(body, ["generate_audio"]) : sound === "on";
}

function refuseRatio(ratio: string | null): string | null {
  if (ratio !== null && !ratios.includes(ratio)) throw oneOf("size", ratios);
  return ratio;
}

function readBounded<Text extends string | null>(param: string, text: Text): Text {
  if (text !== null && isLonger(text, promptCharactersMax)) {
    throw invalidValue(param, `is longer than ${promptCharactersMax} characters`);
  }
  return text;
}

export function fields(model: string): FamilyField[] {
  const lengths = models.get(model)?.seconds.map(String) ?? [];
  return [
    choice("seconds", lengths, { type: "number", usual: String(secondsDefault) }),
    choice("aspect_ratio", ratios),
    choice("mode", modes, { usual: modes[0] }),
    audio,
    watermark,
    negativePrompt,
    seed,
  ];
}
