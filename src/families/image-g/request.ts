// Fields of an imageG request.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import type { ImageAsk } from "../image-family.ts";
import type { ImageJob } from "../image-job.ts";
import { readChoice, readDecimal, readObjectField, readWhole } from "../kit/fields.ts";
import { openChoice } from "../kit/form.ts";
import {
  readImageCount,
  readShared,
  sharedFields,
  usualQualities,
  type ImageLimits,
} from "../kit/image/request.ts";
import { readPixels, sizeIn, wrongSize, type SizeLimits } from "../kit/image/size.ts";
import { findModel, nameIn } from "../kit/job.ts";
import { invalidValue } from "../kit/refuse.ts";
import { models } from "./models.ts";

const mebibyte = 1024 * 1024;
const limits: ImageLimits = {
  countMax: 15,
  qualities: usualQualities,
  references: {
    countMax: 10,
    types: ["image/png", "image/jpeg", "image/webp", "image/bmp", "image/gif"],
    bytesMax: 10 * mebibyte,
  },
};
const classes = ["1K", "2K", "4K"];
const sizeLimits: SizeLimits = {
  pixels: { min: 240, max: 8192 },
  area: { min: 1280 * 720, max: 4096 * 4096 },
  ratioMax: 16,
};
const anySize =
  `one of ${classes.join(", ")}, or WIDTHxHEIGHT with 921600 to 16777216 pixels ` +
  "and a ratio of at most 16:1";

export function parse(body: JsonObject, ask: ImageAsk): ImageJob {
  const model = findModel(body, models);
  const shared = readShared(body, ask, limits);
  const series = readSeries(body);
  return {
    ...shared,
    count: series ?? shared.count,
    model,
    ...readShape(body, model),
    ratio: null,
    extras: readExtras(body, series),
  };
}

function readShape(body: JsonObject, model: string): Pick<ImageJob, "size" | "sizeClass"> {
  const text = sizeIn(body);
  if (text === null) return { size: null, sizeClass: null };
  const sizeClass = classes.find((known) => known === text.toUpperCase()) ?? null;
  const size = readPixels(text, sizeLimits);
  if (sizeClass === null && size === null) throw wrongSize(nameIn(body, model), anySize);
  return { size, sizeClass };
}

/** At most how many images a series of the vendor's has, or null when none is asked for. */
function readSeries(body: JsonObject): number | null {
  const choice = readChoice(body, ["sequential_image_generation"], ["auto", "disabled"]);
  if (choice !== "auto") return null;
  const options = readObjectField(body, "sequential_image_generation_options") ?? {};
  const most = readWhole(options, ["max_images"], { min: 1, max: limits.countMax });
  const count = readImageCount(body, limits.countMax);
  if (count !== null && most !== null && count !== most) {
    throw invalidValue("n", "must be the same as sequential_image_generation_options.max_images");
  }
  return count ?? most ?? limits.countMax;
}

/** The vendor's own parameters. In a series the count is the vendor's to keep. */
function readExtras(body: JsonObject, series: number | null): JsonObject {
  const guidance = readDecimal(body, ["guidance_scale"], { min: 1, max: 10 });
  const optimizing = readObjectField(body, "optimize_prompt_options");
  return {
    ...(guidance === null ? {} : { guidance_scale: guidance }),
    ...(optimizing === null ? {} : { optimize_prompt_options: optimizing }),
    ...(series === null ? {} : { sequential_image_generation: "auto" }),
  };
}

export function fields(): FamilyField[] {
  return [openChoice("size", classes), ...sharedFields(limits)];
}
