// Every video family, and the one that serves a model.
import type { VideoFamily } from "./family.ts";
import { videoB } from "./video-b/index.ts";

export { renderAccepted } from "./kit/render.ts";

export const videoFamilies: readonly VideoFamily[] = [videoB];

const byModel: ReadonlyMap<string, VideoFamily> = new Map(
  videoFamilies.flatMap((family) => family.models.map((model) => [model, family])),
);

/** By any name that selects it, vendors' own names included. */
export function findVideoFamily(model: string): VideoFamily | undefined {
  return byModel.get(model);
}
