// Finished videos behind links that need no key. A link says all that its video is made from, so
// nothing has to be kept for it.
import { noFaults } from "./directives.ts";
import { type VideoShape, writeMp4 } from "./mp4/index.ts";
import { type Answer, originOf, type VendorRequest } from "./vendor.ts";

const link = /^\/files\/(\d{2,4})x(\d{2,4})-(\d{1,2})s-(\d{1,6})\.mp4$/;

export function videoLink(request: VendorRequest, prefix: string, shape: VideoShape): string {
  const { width, height, seconds, seed = 0 } = shape;
  return `${originOf(request)}${prefix}/files/${width}x${height}-${seconds}s-${seed}.mp4`;
}

/** Null when the path is no such link. */
export function videoAnswer({ method, path }: VendorRequest): Answer | null {
  const [, width, height, seconds, seed] = link.exec(path)?.map(Number) ?? [];
  if (method !== "GET" || width === undefined || height === undefined) return null;
  const bytes = writeMp4({ width, height, seconds: seconds ?? 1, seed: seed ?? 0 });
  const headers = { "content-type": "video/mp4" };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}

/** A picture of this ratio, such as "16:9", whose shorter side has so many pixels. */
export function shapeOf(shortSide: number, ratio: string): { width: number; height: number } {
  const [across = 16, down = 9] = ratio.split(":").map(Number);
  const longSide =
    2 * Math.round((shortSide * Math.max(across, down)) / Math.min(across, down) / 2);
  return across >= down
    ? { width: longSide, height: shortSide }
    : { width: shortSide, height: longSide };
}
