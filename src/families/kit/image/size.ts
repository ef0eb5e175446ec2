// The size of an image: in pixels, or as a class that leaves the exact size to the vendor.
import { GatewayError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { pick, type Range } from "../fields.ts";
import { parseSize, type PixelSize } from "../shape.ts";

export interface SizeLimits {
  /** Pixels of either side. */
  pixels: Range;
  /** Pixels of both together; any when it is left out. */
  area?: Range;
  /** The longer side against the shorter. */
  ratioMax: number;
}

/** The text of `size`, or null when it says nothing; a value that is no text has no size either. */
export function sizeIn(body: JsonObject): string | null {
  const field = pick(body, ["size"]);
  if (field === null) return null;
  return typeof field.value === "string" ? field.value : "?";
}

/** Null when the text is no size in pixels, or one that is out of the limits. */
export function readPixels(text: string, limits: SizeLimits): PixelSize | null {
  const size = parseSize(text);
  return size !== null && isWithin(size, limits) ? size : null;
}

function isWithin({ width, height }: PixelSize, { pixels, area, ratioMax }: SizeLimits): boolean {
  const shorter = Math.min(width, height);
  const longer = Math.max(width, height);
  const hasSides = shorter >= pixels.min && longer <= pixels.max;
  const pixelCount = width * height;
  const hasArea = area === undefined || (pixelCount >= area.min && pixelCount <= area.max);
  return hasSides && hasArea && longer <= shorter * ratioMax;
}

export function wrongSize(model: string, allowed: string): GatewayError {
  const message = `The size for ${model} must be ${allowed}.`;
  return new GatewayError("invalid_size", { param: "size", message });
}

export type Resolution = "1k" | "2k" | "4k";

/** The class by count of pixels: vendors' 2K has many shapes. */
export function imageResolution({ width, height }: PixelSize): Resolution {
  const pixels = width * height;
  if (pixels <= 2_200_000) return "1k";
  return pixels <= 4_600_000 ? "2k" : "4k";
}
