// The images that a request brings along: addresses, bytes in base64, objects around either, and
// files of a form, alone or in a list. What is no image by its bytes is refused.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { JobImage } from "../../image-job.ts";
import type { JobSource } from "../../video-job.ts";
import { unwrapText } from "../fields.ts";
import { anyForm, readSource, type MediaFieldRule } from "../media.ts";
import { invalidValue } from "../refuse.ts";
import { sniffBase64 } from "../sniff.ts";

export interface ReferenceLimits {
  countMax: number;
  types: readonly string[];
  /** Limit of each one, decoded. */
  bytesMax: number;
}

const names = ["image", "images"];
const mebibyte = 1024 * 1024;
const maskLimits: ReferenceLimits = {
  countMax: 1,
  types: ["image/png"],
  bytesMax: 4 * mebibyte,
};

export function readImages(body: JsonObject, limits: ReferenceLimits): JobImage[] {
  const fields = names.flatMap((name) => valuesOf(body, name));
  const [first] = fields;
  if (first && fields.length > limits.countMax) {
    throw invalidValue(first.name, `can be at most ${limits.countMax}`);
  }
  return fields.map(({ value, param }) => readImage(value, param, limits));
}

export function readMask(body: JsonObject): JobImage | null {
  const [mask, ...others] = valuesOf(body, "mask");
  if (others.length > 0) throw invalidValue("mask", "can be only one");
  return mask === undefined ? null : readImage(mask.value, mask.param, maskLimits);
}

/** A form has a list as fields that are called `name[]`, or as JSON in a text. */
function valuesOf(body: JsonObject, name: string): { name: string; value: Json; param: string }[] {
  const direct = body[name] ?? body[`${name}[]`];
  if (direct === undefined || direct === null || direct === "") return [];
  const value = isJsonText(direct) ? unwrapText({ param: name, value: direct }) : direct;
  if (!Array.isArray(value)) return [{ name, value, param: name }];
  return value.map((item, index) => ({ name, value: item, param: `${name}.${index}` }));
}

/** Neither an address nor base64 begins so. */
function isJsonText(value: Json): boolean {
  return typeof value === "string" && /^\s*[[{]/.test(value);
}

function readImage(value: Json, param: string, { types, bytesMax }: ReferenceLimits): JobImage {
  const rule: MediaFieldRule = {
    kind: "image",
    role: "reference",
    forms: anyForm,
    types,
    bytesMax,
  };
  const source = readSource(isObject(value) ? unwrap(value, param) : value, param, rule);
  checkBytes(source, param, types);
  return { source, param };
}

/** Take the bytes from the names they have elsewhere, as the file that they are. */
function unwrap(value: JsonObject, param: string): Json {
  const { b64_json: answered, base64 = answered, file_id: file } = value;
  if (typeof file === "string")
    throw invalidValue(param, "cannot be a file id, since no files are kept");
  if (typeof base64 !== "string") return value;
  return /^data:/i.test(base64) ? base64 : { ...value, base64 };
}

function checkBytes(source: JobSource, param: string, types: readonly string[]): void {
  if (source.kind !== "bytes" || sniffBase64(source.base64) !== null) return;
  throw invalidValue(param, `must be ${types.join(" or ")}`);
}
