// Sizes as gpt-image takes them: sides that are multiples of 16, not longer than 3840, with a ratio
// within 3:1 and no more pixels than 3840x2160. Other sizes are mapped to the nearest of these; its
// first models draw three sizes only.
import type { ImageJob } from "../../../families/image-job.ts";
import {
  classPixels,
  ratioOf,
  readRatio,
  sidesOf,
  sizeText,
  type Ratio,
  type Size,
} from "../picture-shape.ts";

const step = 16;
const pixelsMax = 3840 * 2160;
const sideMax = 3840;
const quotientMax = 3;
const square: Ratio = { across: 1, down: 1 };
const usualClass = "1K";
/** A size of the very same ratio is taken unless it is further off than this part of a side. */
const driftMax = 1 / 8;

const firstModels = /^gpt-image-1(?![\d])/;
const firstSizes: readonly Size[] = [
  { width: 1024, height: 1024 },
  { width: 1536, height: 1024 },
  { width: 1024, height: 1536 },
];

const newestModels = /^(?:gpt-image|imageA)-2\.5/;
/** Sizes that only the newest models make. */
const newestSizes = ["1920x1080", "1080x1920", "3840x2880", "3840x2560", "2560x3840"];

/** The size to ask a model for; null leaves it to the vendor. */
export function toVendorSize(job: ImageJob, model: string): Size | null {
  if (job.size !== null && isNewestSize(job.size, model)) return job.size;
  const size = wantedSize(job) ?? null;
  if (size === null || !firstModels.test(model)) return size;
  return firstSizes.reduce((best, known) =>
    drift(known, size) < drift(best, size) ? known : best,
  );
}

function isNewestSize(size: Size, model: string): boolean {
  return newestModels.test(model) && newestSizes.includes(sizeText(size));
}

/** True where the job promises a size and this model would draw another one. */
export function missesExactSize(job: ImageJob): boolean {
  const { size, isSizeExact, model } = job;
  if (!isSizeExact || size === null) return false;
  const vendorSize = toVendorSize(job, model);
  return vendorSize === null || sizeText(vendorSize) !== sizeText(size);
}

/** The distance of two sizes in their ratios. */
function drift(a: Size, b: Size): number {
  return Math.abs(Math.log((a.width * b.height) / (a.height * b.width)));
}

/** Null when nothing was said, and undefined for a shape that it cannot make. */
export function wantedSize({ size, sizeClass, ratio }: ImageJob): Size | null | undefined {
  if (size !== null) return nearestSize(size);
  if (sizeClass === null && ratio === null) return null;
  const shape = ratio === null ? square : readRatio(ratio);
  const pixels = classPixels(sizeClass ?? usualClass);
  if (shape === null || pixels === null) return undefined;
  return nearest(shape, sidesOf(shape, pixels));
}

/** Undefined when it is too long and narrow for any. */
export function nearestSize(wanted: Size): Size | undefined {
  return isTaken(wanted) ? wanted : nearest(ratioOf(wanted), wanted);
}

function nearest(ratio: Ratio, wanted: Size): Size | undefined {
  if (quotientOf(wanted) > quotientMax) return undefined;
  const room = Math.sqrt(pixelsMax / (wanted.width * wanted.height));
  const scale = Math.min(1, room, sideMax / Math.max(wanted.width, wanted.height));
  const fitted = { width: wanted.width * scale, height: wanted.height * scale };
  return sameRatio(ratio, fitted) ?? rounded(fitted, Math.round) ?? rounded(fitted, Math.floor);
}

/** The larger one of two that are equally near: nobody gets less than was asked for. */
function sameRatio({ across, down }: Ratio, fitted: Size): Size | undefined {
  const times = Math.round(fitted.width / (across * step));
  const fit = [times, times - 1]
    .map((count) => ({ width: count * across * step, height: count * down * step }))
    .find(isTaken);
  const isNear = fit && Math.abs(fit.width - fitted.width) <= fitted.width * driftMax;
  return isNear ? fit : undefined;
}

function rounded({ width, height }: Size, round: (steps: number) => number): Size | undefined {
  const size = { width: round(width / step) * step, height: round(height / step) * step };
  return isTaken(size) ? size : undefined;
}

function isTaken(size: Size): boolean {
  const { width, height } = size;
  const isWhole = [width, height].every((side) => side > 0 && side <= sideMax && side % step === 0);
  return isWhole && width * height <= pixelsMax && quotientOf(size) <= quotientMax;
}

function quotientOf({ width, height }: Size): number {
  return Math.max(width, height) / Math.min(width, height);
}
