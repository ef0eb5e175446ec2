// Videos on the wire that Sora brought: five fields, one image to start from, the bytes by a call
// of their own. It has no field for a name of ours, so a lost job cannot be found again.
import type { JsonObject } from "../../core/json.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { videoStatus, videoVariant } from "../openai-wire-videos.ts";
import { videosAddress } from "../openai-wire.ts";
import type { VideoCall, VideoFacet } from "../upstream.ts";
import { namedIn, takenBody } from "../kit/video-reply.ts";

export const video: VideoFacet = { lacks, start, status: videoStatus, variant: videoVariant };

const ratios = ["16:9", "9:16"];
const defaultRatio = "16:9";
const sides: ReadonlyMap<string, readonly [short: number, long: number]> = new Map([
  ["720p", [720, 1280]],
  ["1080p", [1080, 1920]],
  ["2k", [1440, 2560]],
  ["4k", [2160, 3840]],
]);
const defaultResolution = "720p";

function lacks(job: VideoJob): string | null {
  if (job.negativePrompt !== null) return "negative_prompt";
  if (job.seconds !== null && !Number.isInteger(job.seconds)) return "seconds";
  if (job.tier === "pro") return "mode";
  // Its videos always have sound and never a mark.
  if (job.audio === false) return "generate_audio";
  if (job.watermark === true) return "watermark";
  if (job.seed !== null) return "seed";
  return lacksShape(job) ?? lacksMedia(job.media);
}

/** A size says it all; where there is none, it follows from the other two. */
function lacksShape({ size, ratio, resolution }: VideoJob): string | null {
  if (size !== null) return null;
  if (ratio !== null && !ratios.includes(ratio)) return "aspect_ratio";
  if (resolution !== null && !sides.has(resolution)) return "resolution";
  return null;
}

function lacksMedia(media: readonly JobMedia[]): string | null {
  const [first, second] = media;
  if (!first) return null;
  const isImage = first.kind === "image" && first.role !== "last-frame" && first.role !== "source";
  if (!isImage || first.source.kind === "asset") return first.param;
  return second?.param ?? null;
}

async function start(job: VideoJob, _original: JsonObject, call: VideoCall): Promise<string> {
  const { target, model } = call;
  const fields = toFields(job, model);
  const reply = await call.send({
    method: "POST",
    address: videosAddress(target),
    body: toBody(fields, job),
  });
  return namedIn(takenBody(reply, readOpenaiFault), "id");
}

/** All but the image; seconds and sizes are texts on this wire. */
function toFields(job: VideoJob, model: string): JsonObject {
  const size = sizeOf(job);
  return {
    model,
    prompt: promptOf(job),
    ...(job.seconds === null ? {} : { seconds: String(job.seconds) }),
    ...(size === null ? {} : { size }),
    ...(Object.keys(job.extras).length === 0 ? {} : { metadata: job.extras }),
  };
}

/** The wire demands a prompt, also where a picture says all that the client had to say. */
const picturePrompt = "Animate this picture.";

function promptOf({ prompt, media }: VideoJob): string {
  return prompt === "" && media.length > 0 ? picturePrompt : prompt;
}

function sizeOf({ size, ratio, resolution }: VideoJob): string | null {
  if (size !== null) return `${size.width}x${size.height}`;
  if (ratio === null && resolution === null) return null;
  const [short, long] = sides.get(resolution ?? defaultResolution) ?? [720, 1280];
  return (ratio ?? defaultRatio) === "16:9" ? `${long}x${short}` : `${short}x${long}`;
}

/** An image in bytes is uploaded as a file; everything else is plain JSON. */
function toBody(fields: JsonObject, { media }: VideoJob): JsonObject | FormData {
  const source = media[0]?.source;
  if (source?.kind === "url") return { ...fields, input_reference: { image_url: source.url } };
  if (source?.kind !== "bytes") return fields;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const file = new Blob([Buffer.from(source.base64, "base64")], { type: source.type });
  form.append("input_reference", file, `reference.${source.type.split("/")[1] ?? "png"}`);
  return form;
}
