// videoB: the models, the vendor's names of them, and the sizes that each takes.
import { modelNames, ofModel } from "../kit/names.ts";

export interface Model {
  model: string;
  sizes: readonly string[];
}

const upright = "720x1280";
const lying = "1280x720";

const standard: Model = { model: "videoB-2", sizes: [upright, lying] };
const pro: Model = {
  model: "videoB-2-pro",
  sizes: [upright, lying, "1792x1024", "1024x1792"],
};

export const models: ReadonlyMap<string, Model> = new Map([
  ["videoB-2", standard],
  ["sora-2", standard],
  ["videoB-2-pro", pro],
  ["sora-2-pro", pro],
]);

export const names = modelNames(models, /^sora-/, ofModel);

/** Sizes that the unified route's ratios stand for. */
export const sizesByRatio: ReadonlyMap<string, string> = new Map([
  ["16:9", lying],
  ["9:16", upright],
]);
