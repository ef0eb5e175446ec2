// Checks a request for images, as strictly as the vendor: whatever it does not know is refused.
import type { ImageSize } from "../../../src/core/image-size.ts";
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { compile, type Static, Type } from "../../../src/core/schema.ts";
import type { FormValue } from "../../form.ts";
import type { PictureFormat } from "../../picture/index.ts";
import type { VendorRequest } from "../../vendor.ts";
import { check, invalid, readJson } from "../check.ts";
import { readLists } from "../videos/form.ts";
import { checkFiles } from "./files.ts";
import { readSize } from "./sizes.ts";

const text = Type.Optional(Type.String());
const shared = {
  model: Type.String({ minLength: 1 }),
  prompt: Type.String({ minLength: 1, maxLength: 32_000 }),
  n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  size: text,
  quality: Type.Optional(Type.Enum(["low", "medium", "high", "xhigh", "max", "auto"])),
  background: Type.Optional(Type.Enum(["transparent", "opaque", "auto"])),
  output_format: Type.Optional(Type.Enum(["png", "jpeg", "webp"])),
  output_compression: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  partial_images: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
  complexity: Type.Optional(Type.Enum(["low", "medium", "high"])),
  stream: Type.Optional(Type.Boolean()),
  safety_identifier: text,
  user: text,
};
const closed = { additionalProperties: false } as const;
const Generation = Type.Object(
  { ...shared, moderation: Type.Optional(Type.Enum(["low", "auto"])) },
  closed,
);
const Edit = Type.Object(
  { ...shared, input_fidelity: Type.Optional(Type.Enum(["low", "high"])) },
  closed,
);
const generation = compile(Generation);
const edit = compile(Edit);

export type ImageKind = "generation" | "edit";
type Asked = Static<typeof Generation> | Static<typeof Edit>;

export interface ImageRequest {
  kind: ImageKind;
  model: string;
  prompt: string;
  count: number;
  size: ImageSize;
  quality: string;
  background: string;
  format: PictureFormat;
  isStream: boolean;
  partialImages: number;
  /** Number of pictures that came along. */
  given: number;
}

const finest = ["xhigh", "max"];
const integers = ["n", "output_compression", "partial_images"];

export function readImageRequest(request: VendorRequest, kind: ImageKind): ImageRequest {
  if (kind === "generation") return toRequest(check(generation, jsonOf(request.body)), kind, 0);
  const form = readLists(request.headers.get("content-type") ?? "", request.body);
  if (!form) throw invalid("image", "Expected a multipart/form-data body.");
  const asked = check(edit, fieldsOf(form));
  const images = [...(form.get("image") ?? []), ...(form.get("image[]") ?? [])];
  checkFiles({ images, mask: form.get("mask")?.[0] });
  return toRequest(asked, kind, images.length);
}

/** Null is as good as nothing. */
function jsonOf(body: Uint8Array): Json {
  const json = readJson(body);
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

const files = ["image", "image[]", "mask"];

function fieldsOf(form: ReadonlyMap<string, FormValue[]>): JsonObject {
  const fields: JsonObject = {};
  for (const [name, [value]] of form) {
    if (files.includes(name)) continue;
    if (typeof value !== "string") throw invalid(name, `Unexpected file in '${name}'.`);
    fields[name] = typed(name, value);
  }
  return fields;
}

function typed(name: string, value: string): Json {
  if (integers.includes(name) && /^\d+$/.test(value)) return Number(value);
  if (name === "stream" && /^(?:true|false)$/.test(value)) return value === "true";
  return value;
}

function toRequest(asked: Asked, kind: ImageKind, given: number): ImageRequest {
  const { model, prompt, n = 1, size = "auto", quality = "auto", background = "auto" } = asked;
  const { output_format: format = "png", partial_images: partialImages = 0, stream } = asked;
  checkQuality(quality, model);
  if (background === "transparent" && format === "jpeg") {
    throw invalid("background", "Transparent background is not supported for JPEG output format.");
  }
  if (format === "png" && (asked.output_compression ?? 100) < 100) {
    throw invalid("output_compression", "Compression is not supported for PNG output format.");
  }
  if (partialImages > 0 && stream !== true) {
    throw invalid("partial_images", "Partial images are only supported when streaming.");
  }
  return {
    kind,
    model,
    prompt,
    count: n,
    size: readSize(size, model),
    quality: quality === "auto" ? "medium" : quality,
    background: background === "auto" ? "opaque" : background,
    format,
    isStream: stream === true,
    partialImages,
    given,
  };
}

function checkQuality(quality: string, model: string): void {
  const [, version] = /^gpt-image-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  if (version === undefined || Number(version) >= 2.5 || !finest.includes(quality)) return;
  const message = `Invalid value: '${quality}'. Supported values are: low, medium, high and auto.`;
  throw invalid("quality", message);
}
