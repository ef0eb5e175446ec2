// A job in Kling's words: which of its addresses makes it, and with which body.
import type { JsonObject } from "../../core/json.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import { isRepeated } from "../kit/content-items.ts";

export const kinds = ["text2video", "image2video", "multi-image2video"] as const;
export type Kind = (typeof kinds)[number];

const promptCharactersMax = 2500;
const imagesMax = 4;
const ratios = ["16:9", "9:16", "1:1"];
const sizes: Readonly<Record<string, { ratio: string; resolution: string }>> = {
  "1280x720": { ratio: "16:9", resolution: "720p" },
  "720x1280": { ratio: "9:16", resolution: "720p" },
  "720x720": { ratio: "1:1", resolution: "720p" },
  "960x960": { ratio: "1:1", resolution: "720p" },
  "1920x1080": { ratio: "16:9", resolution: "1080p" },
  "1080x1920": { ratio: "9:16", resolution: "1080p" },
  "1080x1080": { ratio: "1:1", resolution: "1080p" },
  "1440x1440": { ratio: "1:1", resolution: "1080p" },
};
/** Modes by the resolution made in each. */
const modes: Readonly<Record<string, string>> = { "720p": "std", "1080p": "pro" };
const tiers = { normal: "std", pro: "pro" } as const;
/** From this version on every length goes; before it there were two. */
const anyLength = /(?:^|[-_])v(?:[3-9]|\d\d)/;
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
];

export function lacks(job: VideoJob): string | null {
  if (job.prompt.length > promptCharactersMax) return "prompt";
  if (!takesSeconds(job)) return "seconds";
  if (job.size !== null && sizeOf(job) === null) return "size";
  if (job.ratio !== null && !takesRatio(job)) return "aspect_ratio";
  if (modeOf(job) === "unclear") return "resolution";
  // Minus one asks for chance, which is what there is.
  if (job.seed !== null && job.seed !== -1) return "seed";
  return lacksMedia(job.media);
}

export function kindOf({ media }: VideoJob): Kind {
  if (media.length === 0) return "text2video";
  return media.some(({ role }) => role === "reference") ? "multi-image2video" : "image2video";
}

export function toBody(job: VideoJob, { model, taskId }: { model: string; taskId: string }) {
  const body: JsonObject = {
    ...extrasOf(job),
    model_name: model,
    ...(job.prompt === "" ? {} : { prompt: job.prompt }),
    ...(job.negativePrompt === null ? {} : { negative_prompt: job.negativePrompt }),
    ...imagesOf(job),
    ...(job.seconds === null ? {} : { duration: String(job.seconds) }),
    // Sound is off unless it is asked for, and older models do not know the field.
    ...(job.audio === true ? { sound: "on" } : {}),
    ...(job.watermark === null ? {} : { watermark_info: { enabled: job.watermark } }),
    external_task_id: taskId,
  };
  const mode = modeOf(job);
  if (mode !== null) body["mode"] = mode;
  const ratio = job.ratio ?? sizeOf(job)?.ratio ?? null;
  // With a frame the ratio is the frame's.
  if (ratio !== null && ratio !== "adaptive" && kindOf(job) !== "image2video") {
    body["aspect_ratio"] = ratio;
  }
  return body;
}

function takesSeconds({ seconds, model }: VideoJob): boolean {
  if (seconds === null || seconds === 5 || seconds === 10) return true;
  return anyLength.test(model) && Number.isInteger(seconds) && seconds >= 3 && seconds <= 15;
}

function takesRatio(job: VideoJob): boolean {
  if (job.ratio === null || kindOf(job) === "image2video") return true;
  return ratios.includes(job.ratio);
}

function sizeOf({ size }: VideoJob): { ratio: string; resolution: string } | null {
  return size === null ? null : (sizes[`${size.width}x${size.height}`] ?? null);
}

/** Null leaves it to the vendor; what is asked for twice must agree. */
function modeOf(job: VideoJob): string | null {
  const resolution = job.resolution ?? sizeOf(job)?.resolution ?? null;
  const byResolution = resolution === null ? null : (modes[resolution] ?? "unclear");
  const byTier = job.tier === null ? null : tiers[job.tier];
  if (byTier === null) return byResolution;
  return byResolution === null || byResolution === byTier ? byTier : "unclear";
}

function extrasOf({ extras }: VideoJob): JsonObject {
  const known = Object.entries(extras).filter(([name]) => vendorFields.includes(name));
  return Object.fromEntries(known);
}

function lacksMedia(media: readonly JobMedia[]): string | null {
  const frames = media.filter(({ role }) => role !== "reference");
  const references = media.filter(({ role }) => role === "reference");
  const wrong =
    media.find((part) => part.kind !== "image" || part.source.kind === "asset") ??
    frames.find((part) => part.role === "source" || isRepeated(part, frames)) ??
    (frames.length > 0 ? references[0] : undefined) ??
    references[imagesMax];
  return wrong?.param ?? null;
}

function imagesOf(job: VideoJob): JsonObject {
  if (kindOf(job) === "multi-image2video") {
    return { image_list: job.media.map((part) => ({ image: imageOf(part) })) };
  }
  return Object.fromEntries(
    job.media.map((part) => [part.role === "first-frame" ? "image" : "image_tail", imageOf(part)]),
  );
}

/** An address, or bare base64: the vendor refuses a data URI. */
function imageOf({ source }: JobMedia): string {
  if (source.kind === "url") return source.url;
  return source.kind === "bytes" ? source.base64 : source.id;
}
