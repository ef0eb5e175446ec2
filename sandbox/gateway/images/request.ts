// Fields that the reseller reads from a request for images, which comes as JSON or as a form.
import type { ImageSize } from "../../../src/core/image-size.ts";
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { FormError, type FormValue, readFields } from "../../form.ts";
import type { ImageKind, ImageRequest } from "../../openai/images/request.ts";
import type { PictureFormat } from "../../picture/index.ts";
import type { VendorRequest } from "../../vendor.ts";
import { jsonBodyOf } from "../../wire.ts";
import { readMedia } from "../../writer/describe-media.ts";
import { Refusal } from "../errors.ts";

const usual: ImageSize = { width: 1024, height: 1024 };
const sideMax = 8192;
const countMax = 10;
const partialsMax = 3;
const classes: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };

interface ResoldRequest {
  asked: ImageRequest;
  isLink: boolean;
}

export function readRequest(request: VendorRequest, kind: ImageKind): ResoldRequest {
  const body = bodyOf(request);
  const { model, prompt, image, n, stream, partial_images: partials } = body;
  if (typeof model !== "string" || model === "") throw new Refusal(400, "model");
  if (typeof prompt !== "string" || prompt === "") throw new Refusal(400, "prompt");
  const images = image === undefined ? [] : [image].flat();
  if (kind === "edit" && images.length === 0) throw new Refusal(400, "image");
  return {
    isLink: body["response_format"] !== "b64_json",
    asked: {
      kind,
      model,
      prompt,
      count: wholeIn(n, "n", countMax) || 1,
      size: sizeOf(body["size"]),
      quality: textOf(body["quality"]) ?? "medium",
      background: textOf(body["background"]) ?? "opaque",
      format: formatOf(body["output_format"]),
      isStream: stream === true || stream === "true",
      partialImages: wholeIn(partials, "partial_images", partialsMax),
      given: images.length,
    },
  };
}

function bodyOf(request: VendorRequest): Record<string, Json | undefined> {
  const fields = fieldsOf(request);
  if (!fields) {
    const body = jsonBodyOf(request);
    if (!isObject(body)) throw new Refusal(400);
    return body;
  }
  const body: JsonObject = {};
  for (const [written, value] of fields) {
    const name = written.replace(/\[\]$/, "");
    const before = body[name];
    const read = jsonOf(name, value);
    body[name] = before === undefined ? read : [before, read].flat();
  }
  return body;
}

function fieldsOf({ headers, body }: VendorRequest): [string, FormValue][] | null {
  try {
    return readFields(headers.get("content-type") ?? "", body);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    throw new Refusal(400);
  }
}

/** A file must be a picture, whatever it is called. */
function jsonOf(name: string, value: FormValue): Json {
  if (typeof value === "string") return value;
  const { type } = readMedia(value.bytes);
  if (!type?.startsWith("image/")) throw new Refusal(400, name);
  return `data:${type};base64,${Buffer.from(value.bytes).toString("base64")}`;
}

/** Zero when nothing was said. */
function wholeIn(value: Json | undefined, name: string, max: number): number {
  const number = Number(value ?? 0);
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw new Refusal(400, name);
}

function sizeOf(value: Json | undefined): ImageSize {
  if (value === undefined || value === null || value === "auto") return usual;
  const text = String(value);
  const side = classes[text.toUpperCase()];
  if (side !== undefined) return { width: side, height: side };
  const [, width, height] = /^([1-9]\d{1,3})x([1-9]\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (width === undefined || height === undefined || Math.max(width, height) > sideMax) {
    throw new Refusal(400, "size");
  }
  return { width, height };
}

function formatOf(value: Json | undefined): PictureFormat {
  if (value === "jpeg" || value === "webp") return value;
  return "png";
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
