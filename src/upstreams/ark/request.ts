// A job in Ark's words.
import type { JsonObject } from "../../core/json.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import { contentItems, lacksMedia } from "../kit/content-items.ts";

const secondsMin = 2;
const secondsMax = 30;
const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"];
/** The sizes it makes in each resolution, upright ones as they lie. */
const sizes: Readonly<Record<string, readonly string[]>> = {
  "480p": "864x496 752x560 640x640 992x432 864x480 736x544 960x416 832x480 624x624".split(" "),
  "720p": "1280x720 1112x834 960x960 1470x630 1248x704 1120x832 1504x640".split(" "),
  "1080p": "1920x1080 1664x1248 1440x1440 2206x946 1920x1088 2176x928".split(" "),
};
const vendorFields = [
  "camera_fixed",
  "return_last_frame",
  "service_tier",
  "execution_expires_after",
  "priority",
  "tools",
  "draft",
];
/** Older models read these from the prompt too, where they would change what the video costs. */
const costlyFlags = /(?:^|\s)--(?:duration|dur|resolution|rs|frames)(?:\s+|=)\S+/gi;

type Size = NonNullable<VideoJob["size"]>;

export function lacks(job: VideoJob): string | null {
  if (job.negativePrompt !== null) return "negative_prompt";
  if (!takesSeconds(job.seconds)) return "seconds";
  if (job.size !== null && resolutionOf(job.size) === null) return "size";
  if (job.ratio !== null && ratioOf(job) === null) return "ratio";
  if (job.resolution !== null && !Object.hasOwn(sizes, job.resolution)) return "resolution";
  if (job.tier === "pro") return "mode";
  return lacksMedia(job, takesMedia);
}

export function toBody(job: VideoJob, { model, taskId }: { model: string; taskId: string }) {
  const known = Object.entries(job.extras).filter(([name]) => vendorFields.includes(name));
  const fields: Record<string, string | number | boolean | null> = {
    resolution: job.resolution ?? (job.size === null ? null : resolutionOf(job.size)),
    ratio: ratioOf(job),
    duration: job.seconds,
    seed: job.seed,
    watermark: job.watermark,
    generate_audio: job.audio,
  };
  const body: JsonObject = {
    ...Object.fromEntries(known),
    model,
    content: contentItems(job.prompt.replace(costlyFlags, ""), job.media),
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    safety_identifier: taskId,
  };
  return body;
}

function takesSeconds(seconds: number | null): boolean {
  if (seconds === null) return true;
  return Number.isInteger(seconds) && seconds >= secondsMin && seconds <= secondsMax;
}

/** Videos and audio go by address alone. */
function takesMedia({ kind, role, source }: JobMedia): boolean {
  return role !== "source" && (kind === "image" || source.kind !== "bytes");
}

function resolutionOf({ width, height }: Size): string | null {
  const lying = `${Math.max(width, height)}x${Math.min(width, height)}`;
  const entry = Object.entries(sizes).find(([, known]) => known.includes(lying));
  return entry?.[0] ?? null;
}

function ratioOf({ ratio, size }: VideoJob): string | null {
  if (ratio === null) return size === null ? null : nearestRatio(size);
  // The first models' word for it.
  if (ratio === "adaptive" || ratio === "keep_ratio") return "adaptive";
  return ratios.includes(ratio) ? ratio : null;
}

function nearestRatio({ width, height }: Size): string {
  const wanted = Math.log(width / height);
  const distance = (ratio: string): number => Math.abs(Math.log(quotient(ratio)) - wanted);
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

function quotient(ratio: string): number {
  const [width = "1", height = "1"] = ratio.split(":");
  return Number(width) / Number(height);
}
