// Limits of the vendor that uses assets, by kind. Sizes and lengths are those of its own registry.
import type { Inspection } from "../media/inspect.ts";
import type { Probe } from "../media/probe.ts";
import type { AssetError, AssetKind } from "./asset.ts";

interface Limits {
  types: readonly string[];
  bytesMax: number;
  seconds?: { least: number; most: number };
  pixels?: { least: number; most: number };
  /** Ratio of width to height. */
  ratio?: { least: number; most: number };
}

const mebibyte = 1024 * 1024;

export const assetLimits: Readonly<Record<AssetKind, Limits>> = {
  image: {
    types: ["image/png", "image/jpeg", "image/webp", "image/gif"],
    bytesMax: 30 * mebibyte,
    pixels: { least: 300, most: 6000 },
    ratio: { least: 0.4, most: 2.5 },
  },
  video: {
    types: ["video/mp4", "video/quicktime"],
    bytesMax: 50 * mebibyte,
    seconds: { least: 2, most: 15 },
  },
  audio: {
    types: ["audio/mpeg", "audio/wav"],
    bytesMax: 15 * mebibyte,
    seconds: { least: 2, most: 15 },
  },
};

/** Fault of the file behind a URL, or null when it may be used. */
export function judgeInspection(kind: AssetKind, inspection: Inspection): AssetError | null {
  switch (inspection.kind) {
    case "not fetchable":
      return { code: "NotFetchable", message: "The URL could not be fetched." };
    case "too large": {
      const megabytes = assetLimits[kind].bytesMax / 1024 / 1024;
      return { code: "TooLarge", message: `The file is larger than ${megabytes} MB.` };
    }
    case "not media":
      return judgeMedia(kind, null);
    case "media":
      return judgeMedia(kind, inspection.probe);
  }
}

/** Fault of the media, or null when it may be used. */
export function judgeMedia(kind: AssetKind, media: Probe | null): AssetError | null {
  const limits = assetLimits[kind];
  if (media?.kind !== kind || !limits.types.includes(media.type)) {
    return fault("InvalidMedia", `The file is no ${kind} of a type that can be used.`);
  }
  return judgePicture(limits, media) ?? judgeLength(limits, media);
}

function judgePicture({ pixels, ratio }: Limits, { width, height }: Probe): AssetError | null {
  if (!pixels || !ratio) return null;
  if (!width || !height) return fault("InvalidMedia", "The size of the picture cannot be read.");
  const sides = [width, height];
  if (sides.some((side) => side < pixels.least || side > pixels.most)) {
    const range = `${pixels.least} to ${pixels.most}`;
    return fault("OutOfRange", `Width and height must be ${range} pixels.`);
  }
  const isFitting = width / height >= ratio.least && width / height <= ratio.most;
  const message = `Width to height must be from ${ratio.least} to ${ratio.most}.`;
  return isFitting ? null : fault("OutOfRange", message);
}

/** Encoders round to whole frames, so a fraction past the end is not held against a file. */
const slackSeconds = 0.1;

function judgeLength({ seconds: range }: Limits, { seconds }: Probe): AssetError | null {
  if (!range) return null;
  if (seconds === null) return fault("InvalidMedia", "The length of the file cannot be read.");
  const isFitting = seconds >= range.least - slackSeconds && seconds <= range.most + slackSeconds;
  const message = `The length must be ${range.least} to ${range.most} seconds.`;
  return isFitting ? null : fault("OutOfRange", message);
}

function fault(code: string, message: string): AssetError {
  return { code, message };
}
