// Images as gpt-image is asked for them, and what it cannot be asked for. It knows no
// `response_format`, no `style` and no `watermark`: it always answers with bytes, is told of styles
// in the prompt, and draws no mark.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { ImageJob, JobImage } from "../../../families/image-job.ts";
import { seedAt } from "../image-seed.ts";
import { classPixels, sizeText } from "../picture-shape.ts";
import { missesExactSize, toVendorSize, wantedSize } from "./size.ts";

const imagesMax = 16;
const fileTypes = ["image/png", "image/jpeg", "image/webp"];
const ownQualities: ReadonlyMap<string, string> = new Map([
  ["standard", "medium"],
  ["hd", "high"],
]);
/** Models that have these words themselves. */
const olderModels = /^dall-e/;
const finest = ["xhigh", "max"];
/** The first version that draws as fine as that. */
const finestVersion = 2.5;
const sharedParameters = ["output_compression", "safety_identifier", "user"];
const parameters = {
  generate: [...sharedParameters, "moderation"],
  edit: [...sharedParameters, "input_fidelity"],
} as const;

/** References make an edit of any job: only there can they be handed in. */
export function kindOf({ images }: ImageJob): ImageJob["kind"] {
  return images.length > 0 ? "edit" : "generate";
}

export function lacks(job: ImageJob): string | null {
  const { images, mask } = job;
  if (seedAt(job.seed, 0) !== null) return "seed";
  if (wantedSize(job) === undefined || missesExactSize(job)) return shapeField(job);
  const strange = [...images, ...(mask ? [mask] : [])].find((image) => !isFile(image));
  if (strange) return strange.param;
  if (images.length > imagesMax) return images[imagesMax]?.param ?? null;
  if (images.length > 0) return null;
  return mask?.param ?? (job.kind === "edit" ? "image" : null);
}

/** The field to blame for a shape that cannot be made. */
function shapeField({ size, sizeClass }: ImageJob): string {
  const isClass = sizeClass === null || classPixels(sizeClass) !== null;
  return size === null && isClass ? "aspect_ratio" : "size";
}

/** It takes files alone: it fetches nothing. */
function isFile({ source }: JobImage): boolean {
  return source.kind === "bytes" && fileTypes.includes(source.type);
}

interface Ask {
  /** The upstream's name of the model. */
  model: string;
  count: number;
  isStream: boolean;
}

export function toBody(job: ImageJob, ask: Ask): JsonObject | FormData {
  const fields = toFields(job, ask);
  if (kindOf(job) === "generate") return fields;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const name = job.images.length > 1 ? "image[]" : "image";
  job.images.forEach((image, index) => appendFile(form, name, [image, `image-${index + 1}`]));
  if (job.mask) appendFile(form, "mask", [job.mask, "mask"]);
  return form;
}

function appendFile(form: FormData, name: string, [{ source }, stem]: [JobImage, string]): void {
  if (source.kind !== "bytes") return;
  const file = new Blob([Buffer.from(source.base64, "base64")], { type: source.type });
  form.append(name, file, `${stem}.${source.type.replace("image/", "")}`);
}

function toFields(job: ImageJob, { model, count, isStream }: Ask): JsonObject {
  const size = toVendorSize(job, model);
  const fields: Record<string, Json | undefined> = {
    ...ownParameters(job),
    model,
    prompt: job.prompt,
    n: count > 1 ? count : undefined,
    size: size ? sizeText(size) : undefined,
    quality: qualityOf(job.quality, model),
    // An object means something to other vendors alone.
    background: typeof job.background === "string" ? job.background : undefined,
    output_format: job.outputFormat ?? undefined,
    stream: isStream || undefined,
    partial_images: isStream ? (job.partialImages ?? undefined) : undefined,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function ownParameters(job: ImageJob): JsonObject {
  const known: readonly string[] = parameters[kindOf(job)];
  const own = Object.entries(job.extras).filter(([name]) => known.includes(name));
  return Object.fromEntries(own);
}

/** The words of other models, and those that are too fine for an older one, in its own. */
export function qualityOf(quality: string | null, model: string): string | undefined {
  if (quality === null) return undefined;
  const [, version] = /^gpt-image-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  const isOld = version !== undefined && Number(version) < finestVersion;
  if (isOld && finest.includes(quality)) return "high";
  if (olderModels.test(model)) return quality;
  return ownQualities.get(quality) ?? quality;
}
