// A job in MiniMax's words. Its tiers are ours alone: the vendor has one model for both.
import type { JsonObject } from "../../core/json.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import { contentItems, isFrame, lacksMedia } from "../kit/content-items.ts";

const promptCharactersMax = 7000;
const secondsMin = 4;
const secondsMax = 15;
const ratios = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9", "adaptive"];
const usualRatio = "16:9";
const resolutions = ["480p", "768p", "2k"];

export function lacks(job: VideoJob): string | null {
  const { seconds, ratio, resolution, seed } = job;
  if (job.prompt.length > promptCharactersMax) return "prompt";
  if (job.negativePrompt !== null) return "negative_prompt";
  if (seconds !== null && !takesSeconds(seconds)) return "duration";
  if (job.size !== null) return "size";
  if (ratio !== null && !ratios.includes(ratio)) return "ratio";
  // There must be something to adapt to.
  if (ratio === "adaptive" && job.media.length === 0) return "ratio";
  if (resolution !== null && !resolutions.includes(resolution)) return "resolution";
  if (job.audio === false) return "generate_audio";
  // Minus one asks for chance, which is what there is.
  if (seed !== null && seed !== -1) return "seed";
  return lacksMedia(job, takesMedia);
}

export function toBody(job: VideoJob, model: string): JsonObject {
  const ratio = ratioOf(job);
  return {
    model,
    content: contentItems(job.prompt, job.media),
    ...(job.resolution === null ? {} : { resolution: job.resolution.toUpperCase() }),
    ...(job.seconds === null ? {} : { duration: job.seconds }),
    ...(ratio === null ? {} : { ratio }),
    ...(job.watermark === null ? {} : { aigc_watermark: job.watermark }),
  };
}

function takesSeconds(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= secondsMin && seconds <= secondsMax;
}

function takesMedia({ kind, role, source }: JobMedia): boolean {
  return source.kind !== "asset" && (role !== "source" || kind === "video");
}

/** With frames the ratio is theirs; without any media there must be one. */
function ratioOf({ ratio, media }: VideoJob): string | null {
  if (media.some(isFrame)) return null;
  return ratio ?? (media.length === 0 ? usualRatio : null);
}
