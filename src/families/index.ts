// Every video family, and the one that serves a model.
import type { VideoFamily } from "./family.ts";
import { manxue } from "./manxue/index.ts";
import { omniFast } from "./omni-fast/index.ts";
import { videoA } from "./video-a/index.ts";
import { videoB } from "./video-b/index.ts";
import { videoC1 } from "./video-c1/index.ts";
import { videoC2 } from "./video-c2/index.ts";
import { videoD } from "./video-d/index.ts";
import { videoE } from "./video-e/index.ts";

export { renderAccepted } from "./kit/render.ts";
export { nativeModel, parseNative, renderNative, type NativeKind } from "./video-e/native.ts";

export const videoFamilies: readonly VideoFamily[] = [
  videoA,
  videoB,
  omniFast,
  manxue,
  videoC2,
  videoC1,
  videoD,
  videoE,
];

const byModel: ReadonlyMap<string, VideoFamily> = new Map(
  videoFamilies.flatMap((family) => family.models.map((model) => [model, family])),
);

/** By any name that selects it, vendors' own names included. */
export function findVideoFamily(model: string): VideoFamily | undefined {
  return byModel.get(model);
}
