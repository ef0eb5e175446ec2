// Fields of an imageA request.
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import type { ImageAsk } from "../image-family.ts";
import type { ImageJob } from "../image-job.ts";
import { pick, readChoice, readTextField, readWhole } from "../kit/fields.ts";
import { choice } from "../kit/form.ts";
import {
  readShared,
  sharedFields,
  usualQualities,
  type ImageLimits,
} from "../kit/image/request.ts";
import { readPixels, sizeIn, wrongSize, type SizeLimits } from "../kit/image/size.ts";
import { findModel, nameIn } from "../kit/job.ts";
import { parseSize } from "../kit/shape.ts";
import { defaultName, first, models, usualSizes, type Model } from "./models.ts";

const mebibyte = 1024 * 1024;
const limits: ImageLimits = {
  countMax: 10,
  qualities: usualQualities,
  references: {
    countMax: 16,
    types: ["image/png", "image/jpeg", "image/webp"],
    bytesMax: 50 * mebibyte,
  },
};
const oldQualities = [...usualQualities, "standard", "hd"];
const sizeLimits: SizeLimits = {
  pixels: { min: 256, max: 4096 },
  ratioMax: 3,
};
const anySize = "auto, or WIDTHxHEIGHT with sides from 256 to 4096 and a ratio of at most 3:1";

export function parse(body: JsonObject, ask: ImageAsk): ImageJob {
  const model = chooseModel(body, ask);
  const shared = readShared(body, ask, { ...limits, qualities: qualitiesOf(model) });
  return {
    ...shared,
    model: model.model,
    quality: shared.quality ?? defaultQuality(model, ask),
    size: readSize(body, model),
    ...(model.sizes !== null && { isSizeExact: true }),
    sizeClass: null,
    ratio: null,
    extras: readExtras(body),
  };
}

function qualitiesOf({ hasOldQualities }: Model): readonly string[] {
  return hasOldQualities ? oldQualities : usualQualities;
}

/** Edits may leave the model open. */
function chooseModel(body: JsonObject, { kind }: ImageAsk): Model {
  const isOpen = kind === "edit" && pick(body, ["model", "model_name"]) === null;
  return findModel(isOpen ? { model: defaultName } : body, models);
}

function defaultQuality(model: Model, { kind, isForm }: ImageAsk): string | null {
  return model === first && kind === "edit" && isForm ? "standard" : null;
}

function readSize(body: JsonObject, { model, sizes }: Model): ImageJob["size"] {
  const text = sizeIn(body);
  if (text === null) return null;
  if (sizes !== null) {
    if (sizes.includes(text)) return parseSize(text);
    throw wrongSize(nameIn(body, model), `one of ${sizes.join(", ")}`);
  }
  if (text.toLowerCase() === "auto") return null;
  const size = readPixels(text, sizeLimits);
  if (size === null) throw wrongSize(nameIn(body, model), anySize);
  return size;
}

/** The vendor's own parameters. A form has numbers as texts, so they are read and not copied. */
function readExtras(body: JsonObject): JsonObject {
  const extras = {
    output_compression: readWhole(body, ["output_compression"], { min: 0, max: 100 }),
    moderation: readChoice(body, ["moderation"], ["low", "auto"]),
    input_fidelity: readChoice(body, ["input_fidelity"], ["low", "high"]),
    user: readTextField(body, ["user"]),
    safety_identifier: readTextField(body, ["safety_identifier"]),
  };
  return Object.fromEntries(Object.entries(extras).filter(([, value]) => value !== null));
}

export function fields(name: string): FamilyField[] {
  const model = models.get(name);
  if (!model) return [];
  const { countMax } = limits;
  return [
    choice("size", model.sizes ?? ["auto", ...usualSizes], { isOpen: model.sizes === null }),
    ...sharedFields({ countMax, qualities: qualitiesOf(model) }),
  ];
}
