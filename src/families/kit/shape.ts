// Sizes in pixels, ratios and resolutions, and how one follows from the other.
import type { JsonObject } from "../../core/json.ts";
import { pick, textFieldOf } from "./fields.ts";
import { invalidValue, oneOf } from "./refuse.ts";

export interface PixelSize {
  width: number;
  height: number;
}

export const sixRatios: readonly string[] = ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"];

const ratioForm = /^[1-9]\d?:[1-9]\d?$/;
const sizeForm = /^([1-9]\d{1,3})x([1-9]\d{1,3})$/i;
const resolutionForm = /^(?:[1-9]\d{2,3}p|[248]k)$/;

export function isRatio(text: string): boolean {
  return ratioForm.test(text);
}

/** Null when the text is no size in pixels. */
export function parseSize(text: string): PixelSize | null {
  const [, width, height] = sizeForm.exec(text) ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height) };
}

export function pixelText(size: PixelSize | null): string | null {
  return size === null ? null : `${size.width}x${size.height}`;
}

export function nearestRatio({ width, height }: PixelSize, ratios: readonly string[]): string {
  const wanted = Math.log(width / height);
  const distance = (ratio: string) => Math.abs(Math.log(quotient(ratio)) - wanted);
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** The resolution by count of pixels: vendors make 480p in sizes such as 864x496 and 640x640. */
export function resolutionOf({ width, height }: PixelSize): string {
  const pixels = width * height;
  return tiers.find(({ pixelsMax }) => pixels <= pixelsMax)?.name ?? "4k";
}

const tiers = [
  { name: "480p", pixelsMax: 600_000 },
  { name: "720p", pixelsMax: 1_400_000 },
  { name: "1080p", pixelsMax: 2_900_000 },
  { name: "2k", pixelsMax: 5_500_000 },
];

/** Some of those that a resolution may be where any is taken. */
export const usualResolutions: readonly string[] = tiers.map(({ name }) => name);

/** Any ratio, or one of those that are allowed. */
export function readRatioField(
  body: JsonObject,
  names: readonly string[],
  allowed?: readonly string[],
): string | null {
  const field = pick(body, names);
  if (field === null) return null;
  const ratio = textFieldOf(field);
  if (allowed === undefined && isRatio(ratio)) return ratio;
  if (allowed?.includes(ratio)) return ratio;
  throw allowed
    ? oneOf(field.param, allowed)
    : invalidValue(field.param, "must be a ratio like 16:9");
}

/** In lower case; any, or one of those that are allowed. */
export function readResolution(body: JsonObject, allowed?: readonly string[]): string | null {
  const field = pick(body, ["resolution"]);
  if (field === null) return null;
  const resolution = textFieldOf(field).toLowerCase();
  if (allowed === undefined && resolutionForm.test(resolution)) return resolution;
  if (allowed?.includes(resolution)) return resolution;
  throw allowed
    ? oneOf(field.param, allowed)
    : invalidValue(field.param, "must be a resolution like 720p");
}

interface ShapeHint {
  ratio: string | null;
  resolution: string | null;
}

/** A size as a hint: a ratio, or pixels that stand for a ratio and a resolution. */
export function readSizeHint(body: JsonObject, ratios: readonly string[]): ShapeHint {
  const field = pick(body, ["size"]);
  if (field === null) return { ratio: null, resolution: null };
  const text = textFieldOf(field);
  if (isRatio(text)) return { ratio: text, resolution: null };
  const size = parseSize(text);
  if (size === null) throw invalidValue(field.param, "must be a size like 1280x720 or a ratio");
  return { ratio: nearestRatio(size, ratios), resolution: resolutionOf(size) };
}

function quotient(ratio: string): number {
  const [width = "1", height = "1"] = ratio.split(":");
  return Number(width) / Number(height);
}
