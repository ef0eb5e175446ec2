// videoE: the models and how long their videos may be. Newer models of the vendor go by its names.
import { modelNames, ofModel } from "../kit/names.ts";

export interface Model {
  model: string;
  seconds: readonly number[];
}

const twoLengths = [5, 10];
const anyLength = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

export const defaultName = "videoE-v1";
const first: Model = { model: defaultName, seconds: twoLengths };

const vendorNames = [
  "kling-v1-5",
  "kling-v1-6",
  "kling-v2-master",
  "kling-v2-1",
  "kling-v2-1-master",
  "kling-v2-5-turbo",
  "kling-v2-6",
];

export const models: ReadonlyMap<string, Model> = new Map<string, Model>([
  [defaultName, first],
  ["kling-v1", first],
  ...vendorNames.map((model): [string, Model] => [model, { model, seconds: twoLengths }]),
  ["kling-v3", { model: "kling-v3", seconds: anyLength }],
]);

export const names = modelNames(models, /^kling-/, ofModel);
