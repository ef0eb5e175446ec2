// Fields of a videoB request.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { FamilyField } from "../field.ts";
import type { VideoJob } from "../video-job.ts";
import { pick, readPrompt, readWhole } from "../kit/fields.ts";
import { choice, seconds } from "../kit/form.ts";
import { findModel, nameIn, newJob } from "../kit/job.ts";
import { anyForm, readMedia } from "../kit/media.ts";
import { secondsMax } from "../kit/meter.ts";
import { openMetadata } from "../kit/metadata.ts";
import { parseSize, type PixelSize } from "../kit/shape.ts";
import { models, type Model } from "./models.ts";

const secondsDefault = 4;
/** The maker's default; it is sent, so that what is told is what was made. */
const defaultSize: PixelSize = { width: 720, height: 1280 };
const secondsRange = { min: 1, max: secondsMax };
const reference = { kind: "image", role: "reference", forms: anyForm } as const;

export function parse(request: JsonObject): VideoJob {
  const model = findModel(request, models);
  const prompt = readPrompt(request);
  const { body, extras } = openMetadata(request, { seconds: "seconds", size: "size" });
  return newJob({
    model: model.model,
    prompt,
    size: readSize(body, model) ?? defaultSize,
    seconds: readWhole(body, ["seconds", "duration"], secondsRange) ?? secondsDefault,
    media: readMedia(body, ["input_reference", "image", "images"], reference),
    extras,
  });
}

function readSize(body: JsonObject, { model, sizes }: Model): PixelSize | null {
  const field = pick(body, ["size"]);
  if (field === null) return null;
  const { value } = field;
  if (typeof value === "string" && sizes.includes(value)) return parseSize(value);
  const message = `The size for ${nameIn(body, model)} must be one of ${sizes.join(", ")}.`;
  throw new GatewayError("invalid_size", { param: "size", message });
}

export function fields(model: string): FamilyField[] {
  const sizes = models.get(model)?.sizes ?? [];
  return [seconds(secondsRange, secondsDefault), choice("size", sizes)];
}
