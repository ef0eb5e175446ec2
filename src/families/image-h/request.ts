// Fields of an imageH request.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import type { ImageAsk } from "../image-family.ts";
import type { ImageJob } from "../image-job.ts";
import { pick, readChoice, readDecimal, readList } from "../kit/fields.ts";
import { choice, openChoice } from "../kit/form.ts";
import {
  readShared,
  sharedFields,
  usualQualities,
  type ImageLimits,
} from "../kit/image/request.ts";
import { readPixels, sizeIn, wrongSize } from "../kit/image/size.ts";
import type { SizeLimits } from "../kit/image/size.ts";
import { findModel, nameIn } from "../kit/job.ts";
import { invalidValue } from "../kit/refuse.ts";
import { readRatioField } from "../kit/shape.ts";
import { leastResolution, models, type Model } from "./models.ts";

const mebibyte = 1024 * 1024;
const limits: ImageLimits = {
  countMax: 4,
  qualities: usualQualities,
  references: {
    countMax: 14,
    types: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
    bytesMax: 20 * mebibyte,
  },
};
const ratios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"];
const ratioNames = ["aspect_ratio", "aspectRatio"];
const classNames = ["image_size", "imageSize"];
const sizeLimits: SizeLimits = {
  pixels: { min: 256, max: 4096 },
  ratioMax: 3,
};

export function parse(body: JsonObject, ask: ImageAsk): ImageJob {
  const model = findModel(body, models);
  return {
    ...readShared(body, ask, limits),
    model: model.model,
    ...readShape(body, model),
    extras: readExtras(body),
  };
}

/** The vendor's own parameters, by its own names. */
function readExtras(body: JsonObject): JsonObject {
  const extras = {
    temperature: readDecimal(body, ["temperature"], { min: 0, max: 2 }),
    topP: readDecimal(body, ["topP", "top_p"], { min: 0, max: 1 }),
    safetySettings: readList(body, "safetySettings") ?? readList(body, "safety_settings"),
  };
  return Object.fromEntries(Object.entries(extras).filter(([, value]) => value !== null));
}

type Shape = Pick<ImageJob, "size" | "sizeClass" | "ratio">;

/** A size may be pixels, a class or a ratio; pixels leave nothing more to say. */
function readShape(body: JsonObject, model: Model): Shape {
  const shape = readSize(body, model);
  const ratio = readRatioField(body, ratioNames, ratios);
  const sizeClass = readChoice(body, classNames, model.classes);
  const conflict = pick(body, [...ratioNames, ...classNames]);
  if (shape.size !== null && conflict !== null) {
    throw invalidValue(conflict.param, "cannot be combined with a size in pixels");
  }
  return { ...shape, ratio: ratio ?? shape.ratio, sizeClass: sizeClass ?? shape.sizeClass };
}

function readSize(body: JsonObject, { model, classes }: Model): Shape {
  const text = sizeIn(body);
  const none: Shape = { size: null, sizeClass: null, ratio: null };
  if (text === null || text.toLowerCase() === "auto") return none;
  if (ratios.includes(text)) return { ...none, ratio: text };
  const sizeClass = classes.find((known) => known === text.toUpperCase());
  if (sizeClass !== undefined) return { ...none, sizeClass };
  const size = readPixels(text, sizeLimits);
  if (size !== null && classes.includes(leastResolution(size).toUpperCase())) {
    return { ...none, size };
  }
  const pixels = "WIDTHxHEIGHT of such a class with a ratio of at most 3:1";
  throw wrongSize(nameIn(body, model), `one of ${classes.join(", ")}, a ratio, or ${pixels}`);
}

export function fields(model: string): FamilyField[] {
  const classes = models.get(model)?.classes ?? [];
  const ratio = choice("aspect_ratio", ratios);
  return [openChoice("size", classes), ratio, ...sharedFields(limits)];
}
