// Checks a video's request, as strictly for the vendor's own models as the vendor does. Models of
// other names are those of its many resellers, who take more lengths and sizes.
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { compile, Type } from "../../../src/core/schema.ts";
import type { VendorRequest } from "../../vendor.ts";
import { type ImageSize, readImageSize } from "../../../src/core/image-size.ts";
import { check, invalid, readJson } from "../check.ts";
import type { FormFile } from "../../form.ts";
import { readForm } from "./form.ts";

const requestChecker = compile(
  Type.Object(
    {
      model: Type.Optional(Type.String({ minLength: 1 })),
      prompt: Type.String({ minLength: 1, maxLength: 32_000 }),
      seconds: Type.Optional(Type.String({ pattern: "^[1-9][0-9]?$" })),
      size: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{1,3}x[1-9][0-9]{1,3}$" })),
      input_reference: Type.Optional(
        Type.Object(
          {
            file_id: Type.Optional(Type.String({ minLength: 1 })),
            image_url: Type.Optional(Type.String({ minLength: 1 })),
          },
          { additionalProperties: false },
        ),
      ),
      metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    },
    { additionalProperties: false },
  ),
);

interface VideoRequest {
  model: string;
  prompt: string;
  seconds: number;
  size: ImageSize;
  metadata: JsonObject;
}

const defaultModel = "sora-2";
const defaultSeconds = "4";
const defaultSize = "720x1280";
const ownSeconds = ["4", "8", "12"];
const standardSizes = ["720x1280", "1280x720"];
const proSizes = [...standardSizes, "1024x1792", "1792x1024", "1080x1920", "1920x1080"];
const fileTypes = ["image/jpeg", "image/png", "image/webp"];

export function readVideoRequest({ headers, body }: VendorRequest): VideoRequest {
  const form = readForm(headers.get("content-type") ?? "", body);
  const file = form?.get("input_reference");
  const json = form ? jsonOf(form) : readJson(body);
  const asked = check(requestChecker, json);
  const { model = defaultModel, seconds = defaultSeconds, size = defaultSize } = asked;
  if (model.startsWith("sora")) checkOwn(model, seconds, size);
  const shape = readSize(size);
  if (file !== undefined) checkFile(file, shape, model);
  const metadata = isObject(asked.metadata) ? asked.metadata : {};
  return { model, prompt: asked.prompt, seconds: Number(seconds), size: shape, metadata };
}

/** The form's fields as the JSON that they stand for; files are looked at by themselves. */
function jsonOf(form: ReadonlyMap<string, string | FormFile>): JsonObject {
  const json: JsonObject = {};
  const reference: JsonObject = {};
  for (const [name, value] of form) {
    const [, entry] = /^input_reference\[(\w+)\]$/.exec(name) ?? [];
    if (typeof value !== "string") {
      if (name !== "input_reference") throw invalid(name, `Unexpected file in '${name}'.`);
    } else if (entry !== undefined) reference[entry] = value;
    else json[name] = name === "metadata" ? parsed(value) : value;
  }
  if (Object.keys(reference).length > 0) json["input_reference"] = reference;
  return json;
}

function parsed(text: string): Json {
  return readJson(new TextEncoder().encode(text));
}

function checkOwn(model: string, seconds: string, size: string): void {
  const sizes = model.startsWith("sora-2-pro") ? proSizes : standardSizes;
  if (!ownSeconds.includes(seconds)) throw unsupported("seconds", seconds, ownSeconds);
  if (!sizes.includes(size)) throw unsupported("size", size, sizes);
}

function unsupported(param: string, value: string, values: readonly string[]) {
  const names = values.map((one) => `'${one}'`).join(", ");
  return invalid(param, `Invalid value: '${value}'. Supported values are: ${names}.`);
}

function readSize(text: string): ImageSize {
  const [width = 0, height = 0] = text.split("x").map(Number);
  if (width % 2 !== 0 || height % 2 !== 0) throw invalid("size", "Sizes must be even.");
  return { width, height };
}

function checkFile(file: string | FormFile, size: ImageSize, model: string): void {
  const param = "input_reference";
  if (typeof file === "string") throw invalid(param, `Invalid type for '${param}'.`);
  if (!fileTypes.includes(file.type)) throw unsupported(param, file.type, fileTypes);
  const seen = readImageSize(file.type, file.bytes);
  if (seen === null) throw invalid(param, "The image could not be read.");
  const fits = seen.width === size.width && seen.height === size.height;
  if (fits || !model.startsWith("sora")) return;
  throw invalid(param, "Inpaint image must match the requested width and height.");
}
