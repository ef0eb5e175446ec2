// The rules for pictures in a request: which models make them, in which shapes.
import type { ImageSize } from "../../../src/core/image-size.ts";
import { readMedia } from "../../writer/describe-media.ts";
import { invalid } from "../errors.ts";
import type { GenerateRequest, GenerationConfig } from "../request/messages.ts";

/** Width and height of the usual class; the others are these doubled, redoubled or halved. */
const sizes: Readonly<Record<string, ImageSize>> = {
  "1:1": { width: 1024, height: 1024 },
  "2:3": { width: 848, height: 1264 },
  "3:2": { width: 1264, height: 848 },
  "3:4": { width: 896, height: 1200 },
  "4:3": { width: 1200, height: 896 },
  "4:5": { width: 928, height: 1152 },
  "5:4": { width: 1152, height: 928 },
  "9:16": { width: 768, height: 1376 },
  "16:9": { width: 1376, height: 768 },
  "21:9": { width: 1584, height: 672 },
};
const scales: Readonly<Record<string, number>> = { "512": 0.5, "1K": 1, "2K": 2, "4K": 4 };
const usual = { ratio: "1:1", size: "1K" };
const imageModel = /-image(?:-|$)/;
/** Makes pictures of the usual class only. */
const plainModel = /flash-lite-image/;
/** The smallest class is the newest flash model's. */
const smallModel = /3\.1-flash-image/;
const imagesMax = 14;

export function wantsImage({ responseModalities = [] }: GenerationConfig): boolean {
  return responseModalities.includes("IMAGE");
}

export function checkImageConfig(config: GenerationConfig, model: string): void {
  const { responseModalities = [], imageConfig, candidateCount = 1 } = config;
  const isImage = imageModel.test(model);
  if (
    responseModalities.some((modality) => modality !== "TEXT" && !(isImage && modality === "IMAGE"))
  ) {
    throw invalid("Model does not support the requested response modalities.");
  }
  if (wantsImage(config) && candidateCount > 1) {
    throw invalid("Multiple candidates is not enabled for this model.");
  }
  if (imageConfig === undefined || !wantsImage(config)) return;
  const { aspectRatio = usual.ratio, imageSize = usual.size } = imageConfig;
  if (!Object.hasOwn(sizes, aspectRatio)) throw invalid(`Invalid aspect ratio: ${aspectRatio}.`);
  if (!isSizeOf(model, imageSize)) throw invalid(`Unsupported image size: ${imageSize}.`);
}

function isSizeOf(model: string, size: string): boolean {
  if (plainModel.test(model)) return size === usual.size;
  return Object.hasOwn(scales, size) && (size !== "512" || smallModel.test(model));
}

/** Pictures that come along are looked at. */
export function checkGiven({ contents }: GenerateRequest): void {
  const given = contents.flatMap(({ parts = [] }) =>
    parts.flatMap((part) => part.inlineData ?? []),
  );
  if (given.length > imagesMax) throw invalid(`At most ${imagesMax} images are supported.`);
  const isReadable = given.every(({ data = "" }) => readMedia(data).type?.startsWith("image/"));
  if (!isReadable) throw invalid("Unable to process input image. Please retry or report.");
}

export function sizeOf({ imageConfig = {} }: GenerationConfig): ImageSize {
  const { aspectRatio = usual.ratio, imageSize = usual.size } = imageConfig;
  const { width, height } = sizes[aspectRatio] ?? { width: 1024, height: 1024 };
  const scale = scales[imageSize] ?? 1;
  return { width: width * scale, height: height * scale };
}
