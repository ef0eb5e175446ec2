// videoC 2.0: the models, the vendor's names of them, and the resolutions of each.
import { modelNames, ofModel } from "../kit/names.ts";

interface Model {
  model: string;
  resolutions: readonly string[];
}

const standard: Model = { model: "videoC-2-0-260128", resolutions: ["480p", "720p", "1080p"] };
const fast: Model = { model: "videoC-2-0-fast-260128", resolutions: ["480p", "720p"] };

export const models: ReadonlyMap<string, Model> = new Map([
  ["videoC-2-0-260128", standard],
  ["doubao-seedance-2-0-260128", standard],
  ["videoC-2-0-fast-260128", fast],
  ["doubao-seedance-2-0-fast-260128", fast],
]);

export const names = modelNames(models, /^doubao-/, ofModel);
