// Images as clients read them: whole, or as the events of a stream.
import type { JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import type { ImageReply, ImageUsage } from "../../upstreams/upstream.ts";
import type { DeliveredImage } from "./deliver.ts";

/** A picture with what the vendor says of it. */
export interface MadePicture extends DeliveredImage {
  url: string | null;
  revisedPrompt: string | null;
  /** The size the vendor names, for where the bytes do not tell. */
  size: string | null;
}

/** The way in which whole images are written for a route. */
export type RenderImages = (images: MadeImages) => JsonObject;

export interface MadeImages {
  pictures: MadePicture[];
  /** Failures among those that were asked for. */
  failures: ImageReply["failures"];
  quality: string | null;
  background: string | null;
  usage: ImageUsage | null;
  createdAtSeconds: number;
}

export function renderImages(images: MadeImages): JsonObject {
  const [first] = images.pictures;
  return {
    created: images.createdAtSeconds,
    data: images.pictures.map(renderPicture),
    ...(first && shapeOf(images, first)),
    ...(images.usage && { usage: renderUsage(images.usage) }),
    ...(images.failures.length > 0 && {
      errors: images.failures.map((failure) => ({ ...failure })),
    }),
  };
}

/** The same as a prediction of Vertex AI. */
export function renderPredictions({ pictures }: MadeImages): JsonObject {
  const predictions = pictures.map(({ type, base64, revisedPrompt }) => ({
    mimeType: type,
    bytesBase64Encoded: base64,
    ...(revisedPrompt !== null && { prompt: revisedPrompt }),
  }));
  return { predictions };
}

/** One for each picture; the last has the usage of them all. */
export function renderEvents(images: MadeImages, kind: ImageJob["kind"]): JsonObject[] {
  return images.pictures.map((picture, index) => ({
    type: `${eventPrefix(kind)}.completed`,
    ...renderPicture(picture),
    created_at: images.createdAtSeconds,
    ...shapeOf(images, picture),
    ...(images.usage &&
      index === images.pictures.length - 1 && { usage: renderUsage(images.usage) }),
  }));
}

export function eventPrefix(kind: ImageJob["kind"]): string {
  return kind === "edit" ? "image_edit" : "image_generation";
}

function renderPicture({ url, base64, revisedPrompt }: MadePicture): JsonObject {
  return {
    ...(url !== null && { url }),
    ...(base64 !== null && { b64_json: base64 }),
    ...(revisedPrompt !== null && { revised_prompt: revisedPrompt }),
  };
}

/** The picture's true shape goes before the one the vendor names. */
function shapeOf({ quality, background }: MadeImages, picture: MadePicture): JsonObject {
  const size = sizeOf(picture);
  return {
    ...(size !== null && { size }),
    ...(quality !== null && { quality }),
    ...(background !== null && { background }),
    output_format: picture.type.replace("image/", ""),
  };
}

function sizeOf({ width, height, size }: Omit<MadePicture, "url">): string | null {
  return width === null || height === null ? size : `${width}x${height}`;
}

export function renderUsage(usage: ImageUsage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    input_tokens_details: {
      text_tokens: usage.inputTextTokens ?? 0,
      image_tokens: usage.inputImageTokens ?? 0,
    },
    output_tokens_details: {
      image_tokens: usage.outputImageTokens ?? 0,
      text_tokens: usage.outputTextTokens ?? 0,
    },
  };
}
