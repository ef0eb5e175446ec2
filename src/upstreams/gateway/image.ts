// Images by another gateway with this API: the client's own body goes on as it is, and a form as a
// form.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { takenBody } from "../kit/video-reply.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { readMadeImages } from "../openai-wire-images.ts";
import { imagesAddress } from "../openai-wire.ts";
import type { ImageCall, ImageFacet, ImageReply, VendorRequest } from "../upstream.ts";
import { withoutOwn } from "./own-fields.ts";

export const image: ImageFacet = { lacks, run, stream };

/** Numbers and truths, which are texts in a form and nowhere else. */
const typedFields = ["n", "seed", "watermark", "stream", "partial_images", "output_compression"];
const streamFields = new Set(["stream", "partial_images"]);

/** Assets are registered here and unknown there. */
function lacks({ images, mask }: ImageJob): string | null {
  const all = mask ? [...images, mask] : images;
  return all.find(({ source }) => source.kind === "asset")?.param ?? null;
}

async function run(job: ImageJob, original: JsonObject, call: ImageCall): Promise<ImageReply> {
  const fields = Object.entries(original).filter(([name]) => !streamFields.has(name));
  const reply = await call.send(toRequest(job, Object.fromEntries(fields), call));
  return readMadeImages(takenBody(reply, readOpenaiFault), null);
}

function stream(job: ImageJob, original: JsonObject, call: ImageCall): VendorRequest {
  return toRequest(job, { ...original, stream: true }, call);
}

function toRequest(job: ImageJob, original: JsonObject, call: ImageCall): VendorRequest {
  const { url, headers } = imagesAddress(call.target, job.kind);
  const body = {
    ...withoutOwn(original),
    model: call.model,
    // The count asked for is the one that was priced.
    ...(original["n"] === undefined ? {} : { n: job.count }),
    // A default of the family is said, as on every other wire.
    ...((original["quality"] ?? "") === "" && job.quality !== null && { quality: job.quality }),
  };
  return {
    method: "POST",
    // A repeat of this request on its way makes no second image.
    address: { url, headers: { ...headers, "idempotency-key": call.reference } },
    body: isForm(original) ? toForm(body) : body,
  };
}

function isForm(original: JsonObject): boolean {
  if (typedFields.some((name) => typeof original[name] === "string")) return true;
  return Object.values(original).some((value) =>
    Array.isArray(value) ? value.some(isFile) : isFile(value),
  );
}

interface FormFile extends JsonObject {
  filename: string;
  type: string;
  base64: string;
}

/** True for a form's file, in the shape it has in a body. */
function isFile(value: Json | undefined): value is FormFile {
  if (!isObject(value)) return false;
  return ["filename", "type", "base64"].every((name) => typeof value[name] === "string");
}

function toForm(body: JsonObject): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) for (const item of value) append(form, `${name}[]`, item);
    else if (isObject(value) && !isFile(value)) {
      for (const [inner, item] of Object.entries(value)) append(form, `${name}[${inner}]`, item);
    } else append(form, name, value);
  }
  return form;
}

function append(form: FormData, name: string, value: Json | undefined): void {
  if (value === undefined || value === null) return;
  if (isFile(value)) {
    const bytes = Buffer.from(value.base64, "base64");
    form.append(name, new Blob([bytes], { type: value.type }), value.filename);
  } else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
}
