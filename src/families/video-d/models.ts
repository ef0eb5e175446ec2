// videoD: tiers and resolutions. The single entry, and the vendor's own name, choose the model by
// the resolution that is asked for, and never the pro tier.
import { modelNames } from "../kit/names.ts";

export interface Model {
  model: string;
  resolution: "768p" | "2k";
  tier: "normal" | "pro";
  imagesMax: number;
  videosMax: number;
}

const normal = { tier: "normal", imagesMax: 5, videosMax: 0 } as const;
const pro = { tier: "pro", imagesMax: 9, videosMax: 1 } as const;

const small: Model = { ...normal, model: "videoD-h3-768p", resolution: "768p" };
const large: Model = { ...normal, model: "videoD-h3-2k", resolution: "2k" };

/** A model, or null where the resolution decides. */
export const models: ReadonlyMap<string, Model | null> = new Map<string, Model | null>([
  ["videoD-h3", null],
  ["MiniMax-H3", null],
  [small.model, small],
  [large.model, large],
  ["videoD-h3-pro-768p", { ...pro, model: "videoD-h3-pro-768p", resolution: "768p" }],
  ["videoD-h3-pro-2k", { ...pro, model: "videoD-h3-pro-2k", resolution: "2k" }],
]);

export const names = modelNames(models, /^MiniMax-/, (model) =>
  model === null ? [small.model, large.model] : [],
);

/** Resolutions, which decide the model. */
export const resolutions: readonly string[] = [small.resolution, large.resolution];

/** The model for everything that the client calls a resolution. */
export function modelFor(resolutions: readonly string[]): Model {
  return resolutions.some((resolution) => /2k|2160/i.test(resolution)) ? large : small;
}
