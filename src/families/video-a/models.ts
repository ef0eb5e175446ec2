// videoA: the models and the vendor's names of them.
import { modelNames } from "../kit/names.ts";

export const models: ReadonlyMap<string, string> = new Map([
  ["videoA_3_1", "videoA_3_1"],
  ["videoA-3", "videoA_3_1"],
  ["veo-3.1-generate-preview", "videoA_3_1"],
  ["veo-3.1-generate-001", "videoA_3_1"],
  ["videoA_3_1-fast", "videoA_3_1-fast"],
  ["veo-3.1-fast-generate-preview", "videoA_3_1-fast"],
  ["veo-3.1-fast-generate-001", "videoA_3_1-fast"],
]);

/** The contract's own shorter name; tasks show the model that it stands for. */
const aliases: ReadonlySet<string> = new Set(["videoA-3"]);

export const names = { ...modelNames(models, /^veo-/, (model) => [model]), aliases };
