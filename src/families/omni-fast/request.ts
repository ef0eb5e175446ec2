// Fields of an omni-fast request; omni-fast-v2v takes the same and a video besides.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import { pick, readPrompt, readSeed, readTextField, readWhole } from "../kit/fields.ts";
import {
  anyRatio,
  anyResolution,
  choice,
  negativePrompt,
  seconds as length,
  seed,
} from "../kit/form.ts";
import { findModel, newJob } from "../kit/job.ts";
import { anyForm, readMedia, urlOrData } from "../kit/media.ts";
import { openMetadata } from "../kit/metadata.ts";
import { secondsMax } from "../kit/meter.ts";
import { invalidValue, missing } from "../kit/refuse.ts";
import { readRatioField, readResolution, readSizeHint, sixRatios } from "../kit/shape.ts";
import type { JobMedia, VideoJob } from "../video-job.ts";
import { models } from "./models.ts";

const secondsDefault = 8;
const secondsRange = { min: 1, max: secondsMax };
const imagesMax = 5;
const videoBytesMax = 15 * 1024 * 1024;
const sourceName = "video";
/** The first that is given counts. */
const videoNames = [sourceName, "video_url", "input_video"];
const image = { kind: "image", role: "reference", forms: urlOrData } as const;
const frame = { ...image, role: "first-frame" } as const;
const source = {
  kind: "video",
  role: "source",
  forms: urlOrData,
  types: ["video/mp4"],
  bytesMax: videoBytesMax,
} as const;
const ownNames = {
  seconds: "seconds",
  ratio: "aspect_ratio",
  resolution: "resolution",
  size: "size",
  negative: "negative_prompt",
  seed: "seed",
} as const;

export function parse(request: JsonObject): VideoJob {
  const { model, isEdit } = findModel(request, models);
  const prompt = readPrompt(request);
  const { body, extras } = openMetadata(request, ownNames);
  const hint = readSizeHint(body, sixRatios);
  const seconds = readWhole(body, ["seconds", "duration"], secondsRange);
  return newJob({
    model,
    prompt,
    negativePrompt: readTextField(body, ["negative_prompt"]),
    // An edit is as long as what is edited unless the client says otherwise.
    seconds: seconds ?? (isEdit ? null : secondsDefault),
    ratio: readRatioField(body, ["aspect_ratio"]) ?? hint.ratio,
    resolution: readResolution(body) ?? hint.resolution,
    seed: readSeed(body),
    media: [...(isEdit ? readVideo(body) : refuseVideo(body)), ...readImages(body)],
    extras,
  });
}

function readVideo(body: JsonObject): JobMedia[] {
  const field = pick(body, videoNames);
  if (field === null) throw missing("video");
  if (Array.isArray(field.value)) throw invalidValue(field.param, "must be one video");
  return readMedia(body, [field.param], source);
}

function refuseVideo(body: JsonObject): JobMedia[] {
  const field = pick(body, videoNames);
  if (field !== null) throw invalidValue(field.param, "is not supported by this model");
  return [];
}

function readImages(body: JsonObject): JobMedia[] {
  const first = readMedia(body, ["first_image_url"], frame);
  const last = readMedia(body, ["last_image_url"], { ...image, role: "last-frame" });
  if (last.length > 0 && first.length === 0) {
    throw invalidValue("last_image_url", "needs first_image_url");
  }
  const guide = readMedia(body, ["image"], { ...frame, forms: anyForm });
  const references = [
    ...readMedia(body, ["images"], image),
    ...readMedia(body, ["input_reference"], { ...image, forms: anyForm }),
  ];
  if (references.length > imagesMax) throw invalidValue("images", `can be at most ${imagesMax}`);
  return [...(first.length > 0 ? first : guide), ...last, ...references];
}

export function fields(model: string): FamilyField[] {
  const isEdit = models.get(model)?.isEdit === true;
  return [
    ...(isEdit ? [choice(sourceName, [], { isOpen: true, isRequired: true })] : []),
    length(secondsRange, isEdit ? null : secondsDefault),
    anyRatio,
    anyResolution,
    negativePrompt,
    seed,
  ];
}
