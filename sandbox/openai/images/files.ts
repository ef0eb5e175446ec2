// The files of an edit: real pictures of three kinds, and a mask that fits the first of them.
import { readImageSize, type ImageSize } from "../../../src/core/image-size.ts";
import type { FormFile, FormValue } from "../../form.ts";
import { readMedia } from "../../writer/describe-media.ts";
import { invalid, missing } from "../check.ts";

const imagesMax = 16;
const imageTypes: readonly (string | null)[] = ["image/png", "image/webp", "image/jpeg"];
const imageBytesMax = 50 * 1024 * 1024;
const maskBytesMax = 4 * 1024 * 1024;
/** Byte of a PNG that says which channels it has, and the two kinds with one for transparency. */
const pngKindAt = 25;
const transparentKinds: readonly (number | undefined)[] = [4, 6];

interface GivenFiles {
  images: readonly FormValue[];
  mask: FormValue | undefined;
}

export function checkFiles({ images, mask }: GivenFiles): void {
  const [first] = images;
  if (first === undefined) throw missing("image");
  if (images.length > imagesMax) throw invalid("image", `At most ${imagesMax} images are taken.`);
  const [size] = images.map((image) => sizeOf(image, "image", imageBytesMax));
  if (mask === undefined || !size) return;
  const masked = sizeOf(mask, "mask", maskBytesMax);
  if (!hasTransparency(fileOf(mask, "mask"))) {
    throw invalid("mask", "Invalid mask image format - mask image missing alpha channel.");
  }
  if (masked.width !== size.width || masked.height !== size.height) {
    throw invalid("mask", "Invalid mask image format - mask size does not match image size.");
  }
}

function sizeOf(value: FormValue, param: string, bytesMax: number): ImageSize {
  const { bytes, type: declared } = fileOf(value, param);
  if (bytes.length >= bytesMax) throw invalid(param, "The file is too large.");
  const { type } = readMedia(bytes);
  if (type === null || !imageTypes.includes(type) || !imageTypes.includes(declared)) {
    const message = `Invalid file '${param}': unsupported mimetype ('${declared}').`;
    throw invalid(param, `${message} Supported file formats are png, webp and jpeg.`);
  }
  const size = readImageSize(type, bytes);
  if (size === null) throw invalid(param, "The image could not be read.");
  return size;
}

function fileOf(value: FormValue, param: string): FormFile {
  if (typeof value === "string") throw invalid(param, `Invalid type for '${param}': no file.`);
  return value;
}

function hasTransparency({ bytes }: FormFile): boolean {
  return readMedia(bytes).type === "image/png" && transparentKinds.includes(bytes[pngKindAt]);
}
