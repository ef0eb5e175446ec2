// imageG: one model, and the vendor's names of it.
import { modelNames } from "../kit/names.ts";

const model = "imageG-4-0-250828";

export const models: ReadonlyMap<string, string> = new Map([
  [model, model],
  ["doubao-seedream-4-0-250828", model],
  ["seedream-4-0-250828", model],
]);

export const names = modelNames(models, /seedream/, (known) => [known]);
