// Fields that Seedream takes for new images; anything else is refused.
import type { ImageSize } from "../../../src/core/image-size.ts";
import { compile, type Static, Type } from "../../../src/core/schema.ts";
import { readMedia } from "../../writer/describe-media.ts";
import { Refusal } from "../errors.ts";

const closed = { additionalProperties: false } as const;

const Ask = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    prompt: Type.String({ minLength: 1 }),
    image: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })])),
    size: Type.Optional(Type.String()),
    response_format: Type.Optional(Type.Enum(["url", "b64_json"])),
    output_format: Type.Optional(Type.Enum(["png", "jpeg"])),
    watermark: Type.Optional(Type.Boolean()),
    seed: Type.Optional(Type.Integer({ minimum: -1, maximum: 2_147_483_647 })),
    guidance_scale: Type.Optional(Type.Number({ minimum: 1, maximum: 10 })),
    sequential_image_generation: Type.Optional(Type.Enum(["auto", "disabled"])),
    sequential_image_generation_options: Type.Optional(
      Type.Object({ max_images: Type.Optional(Type.Integer({ minimum: 1, maximum: 15 })) }, closed),
    ),
    optimize_prompt_options: Type.Optional(
      Type.Object({ mode: Type.Optional(Type.Enum(["standard", "fast"])) }, closed),
    ),
  },
  closed,
);
export type Ask = Static<typeof Ask>;

const checker = compile(Ask);
const pixelsMin = 1280 * 720;
const pixelsMax = 4096 * 4096;
const quotientMax = 16;
const classes: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };
const usualSize = "2K";
const imagesMax = 14;
/** Limit of the first model that takes several. */
const fewImages = { model: /seedream-4-0/, max: 10 };
/** Those that are given and those that are made. */
const picturesMax = 15;

export function readAsk(json: unknown): Ask {
  if (!checker.is(json)) throw faultIn(json);
  const images = imagesOf(json);
  const max = fewImages.model.test(json.model) ? fewImages.max : imagesMax;
  if (images.length > max) throw invalid("image", `At most ${max} images are allowed.`);
  if (images.some((image) => !isImage(image))) throw invalid("image", "The image is not valid.");
  if (images.length + seriesOf(json) > picturesMax) {
    throw invalid("sequential_image_generation_options.max_images", "There are too many images.");
  }
  return json;
}

export function imagesOf({ image }: Ask): string[] {
  if (image === undefined) return [];
  return Array.isArray(image) ? image : [image];
}

/** Images that belong together; one where there is no series. */
export function seriesOf(ask: Ask): number {
  if (ask.sequential_image_generation !== "auto") return 1;
  return ask.sequential_image_generation_options?.max_images ?? picturesMax;
}

/** A class leaves the ratio to the model, which in the sandbox draws squares. */
export function sizeOf({ size = usualSize }: Ask): ImageSize {
  const side = classes[size];
  if (side !== undefined) return { width: side, height: side };
  const [, across, down] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(size) ?? [];
  const [width, height] = [Number(across), Number(down)];
  const pixels = width * height;
  const quotient = Math.max(width, height) / Math.min(width, height);
  if (across === undefined || !(pixels >= pixelsMin && pixels <= pixelsMax)) {
    throw invalid("size", "The size is not valid: its pixels must be 921600 to 16777216.");
  }
  if (quotient > quotientMax) throw invalid("size", "The ratio must be within 1:16 and 16:1.");
  return { width, height };
}

/** A URL, or a data URI whose bytes are what it says; one kind is not known here. */
function isImage(text: string): boolean {
  if (/^https?:\/\/\S+$/.test(text)) return true;
  const [, type, data = ""] = /^data:(image\/[\w.+-]+);base64,([^]+)$/.exec(text) ?? [];
  return type !== undefined && (readMedia(data).type ?? "image/bmp") === type;
}

function faultIn(json: unknown): Refusal {
  const [fault = { path: "", message: "is not valid" }] = checker.faults(json);
  const param = fault.path;
  const message = `The parameter ${param} in the request ${fault.message}.`;
  const code = fault.message === "is required" ? "MissingParameter" : "InvalidParameter";
  return new Refusal(400, { code, message, param });
}

function invalid(param: string, message: string): Refusal {
  return new Refusal(400, { param, message });
}
