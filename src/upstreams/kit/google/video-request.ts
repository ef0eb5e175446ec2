// A video as Veo is asked for it, and what it cannot be asked for.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { JobMedia, VideoJob } from "../../../families/video-job.ts";

interface Shape {
  ratio: string | null;
  resolution: string | null;
}

const lengths = [4, 6, 8];
/** Fine pictures, references and extensions come in this length alone. */
const fullLength = 8;
const ratios = ["16:9", "9:16"];
const resolutions = ["720p", "1080p", "4k"];
const referencesMax = 3;
const shapesBySize: ReadonlyMap<string, Shape> = new Map([
  ["1280x720", { ratio: "16:9", resolution: "720p" }],
  ["720x1280", { ratio: "9:16", resolution: "720p" }],
  ["1920x1080", { ratio: "16:9", resolution: "1080p" }],
  ["1080x1920", { ratio: "9:16", resolution: "1080p" }],
  ["3840x2160", { ratio: "16:9", resolution: "4k" }],
  ["2160x3840", { ratio: "9:16", resolution: "4k" }],
]);

const silentModel = /^veo-2/;

/** The vendor's own parameters that clients may set, by each of their spellings. */
const parameterNames: ReadonlyMap<string, string> = new Map([
  ["personGeneration", "personGeneration"],
  ["person_generation", "personGeneration"],
  ["enhancePrompt", "enhancePrompt"],
  ["enhance_prompt", "enhancePrompt"],
]);

/** Differences between the places that serve Veo. */
interface VeoPlace {
  /** It takes a seed, and the wish for a video without sound. */
  isVertex: boolean;
}

export function lacks(job: VideoJob, { isVertex }: VeoPlace): string | null {
  if (job.tier === "pro") return "mode";
  // Elsewhere its videos always have sound, and nowhere a mark that can be seen.
  if (job.audio === false && !isVertex) return "generate_audio";
  if (job.watermark === true) return "watermark";
  if (job.seed !== null && !isVertex) return "seed";
  const shape = shapeOf(job);
  if (shape === null) return "size";
  if (shape.ratio !== null && !ratios.includes(shape.ratio)) return "aspect_ratio";
  if (shape.resolution !== null && !resolutions.includes(shape.resolution)) return "resolution";
  return lacksMedia(job.media) ?? lacksLength(job, shape);
}

function lacksLength(job: VideoJob, shape: Shape): string | null {
  const { seconds } = job;
  if (seconds === null) return null;
  const fits = needsFullLength(job, shape) ? seconds === fullLength : lengths.includes(seconds);
  return fits ? null : "duration";
}

function needsFullLength({ media }: VideoJob, { resolution }: Shape): boolean {
  if (resolution === "1080p" || resolution === "4k") return true;
  const { references, source } = sortMedia(media);
  return references.length > 0 || source !== undefined;
}

/** Null when the size is none of the vendor's. */
function shapeOf({ size, ratio, resolution }: VideoJob): Shape | null {
  if (size === null) return { ratio, resolution };
  return shapesBySize.get(`${size.width}x${size.height}`) ?? null;
}

/** It takes bytes alone: it fetches nothing. */
function lacksMedia(media: readonly JobMedia[]): string | null {
  const strange = media.find(
    ({ kind, role, source }) =>
      source.kind !== "bytes" || kind !== (role === "source" ? "video" : "image"),
  );
  if (strange) return strange.param;
  const { first, last, references, source } = sortMedia(media);
  if (last && !first) return last.param;
  if (references.length > referencesMax) return references[referencesMax]?.param ?? null;
  // Each of the three ways to begin excludes the others.
  const hasFrames = first !== undefined;
  if (hasFrames && references[0]) return references[0].param;
  if (source && (hasFrames || references[0])) return source.param;
  return lacksSecond(media);
}

function lacksSecond(media: readonly JobMedia[]): string | null {
  const roles = new Set<string>();
  for (const { role, param } of media) {
    if (role !== "reference" && roles.has(role)) return param;
    roles.add(role);
  }
  return null;
}

interface Sorted {
  first: JobMedia | undefined;
  last: JobMedia | undefined;
  references: JobMedia[];
  source: JobMedia | undefined;
}

/** An image that comes alone is where the video begins; every model can do that. */
function sortMedia(media: readonly JobMedia[]): Sorted {
  const byRole = (role: JobMedia["role"]): JobMedia[] => media.filter((part) => part.role === role);
  const references = byRole("reference");
  const [only] = media.length === 1 ? references : [];
  return {
    first: byRole("first-frame")[0] ?? only,
    last: byRole("last-frame")[0],
    references: only ? [] : references,
    source: byRole("source")[0],
  };
}

export function toRequest(job: VideoJob, model: string, { isVertex }: VeoPlace): JsonObject {
  const { first, last, references, source } = sortMedia(job.media);
  const shape = shapeOf(job) ?? { ratio: null, resolution: null };
  const seconds = job.seconds ?? (needsFullLength(job, shape) ? fullLength : null);
  const instance: JsonObject = { prompt: job.prompt };
  if (first) instance["image"] = mediaOf(first);
  if (last) instance["lastFrame"] = mediaOf(last);
  if (source) instance["video"] = isVertex ? mediaOf(source) : videoOf(source);
  if (references.length > 0) {
    instance["referenceImages"] = references.map((part) => ({
      image: mediaOf(part),
      referenceType: "asset",
    }));
  }
  const parameters: JsonObject = { ...ownParameters(job.extras), sampleCount: 1 };
  if (shape.ratio !== null) parameters["aspectRatio"] = shape.ratio;
  if (shape.resolution !== null) parameters["resolution"] = shape.resolution;
  if (seconds !== null) parameters["durationSeconds"] = seconds;
  if (job.negativePrompt !== null) parameters["negativePrompt"] = job.negativePrompt;
  if (isVertex && job.seed !== null) parameters["seed"] = job.seed;
  // Sound is what the other place always makes; the oldest models have none.
  if (isVertex && !silentModel.test(model)) parameters["generateAudio"] = job.audio ?? true;
  return { instances: [instance], parameters };
}

function ownParameters(extras: JsonObject): JsonObject {
  const entries = Object.entries(extras).flatMap(([name, value]): [string, Json][] => {
    const own = parameterNames.get(name);
    return own === undefined || value === undefined ? [] : [[own, value]];
  });
  return Object.fromEntries(entries);
}

/** Bytes of a picture, or of a film where both have the same words. */
function mediaOf({ source }: JobMedia): JsonObject {
  if (source.kind !== "bytes") return {};
  return { bytesBase64Encoded: source.base64, mimeType: source.type };
}

function videoOf({ source }: JobMedia): JsonObject {
  if (source.kind !== "bytes") return {};
  return { encodedVideo: source.base64, encoding: source.type };
}
