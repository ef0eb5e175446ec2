// imageA: the models, the vendor's names of them, and the sizes that some of them are bound to.
import { modelNames, ofModel } from "../kit/names.ts";

export interface Model {
  model: string;
  /** Those that it makes and no other; null where the limits of the family count. */
  sizes: readonly string[] | null;
  /** It goes by the older words for quality too. */
  hasOldQualities: boolean;
}

/** Sizes usually asked for, among those that the limits of the family leave open. */
export const usualSizes = [
  "1024x1024",
  "1536x1152",
  "1536x1024",
  "1024x1536",
  "1920x1080",
  "1080x1920",
];
const large = ["2048x2048", "2048x1536", "2560x1712", "1712x2560", "2048x1152", "1152x2048"];
const largest = ["2880x2880", "3840x2880", "3840x2560", "2560x3840", "3840x2160", "2160x3840"];
const eighteen = [...usualSizes, ...large, ...largest];

export const first: Model = { model: "imageA-1", sizes: null, hasOldQualities: true };
const flare: Model = { model: "imageA-2.5-flare", sizes: eighteen, hasOldQualities: false };
const sunburst: Model = { ...flare, model: "imageA-2.5-sunburst" };

/** The model of edits that name none. */
export const defaultName = "imageA-2";

export const models: ReadonlyMap<string, Model> = new Map<string, Model>([
  [first.model, first],
  ["gpt-image-1", first],
  ["gpt-image-1-mini", first],
  ["gpt-image-1.5", first],
  ["dall-e-2", first],
  ["dall-e-3", first],
  ...named(defaultName, "gpt-image-2"),
  ...named("imageA-2-pro", "gpt-image-2-pro"),
  ...named("imageA-2-vip", "gpt-image-2-vip"),
  [flare.model, flare],
  ["gpt-image-2.5-flare", flare],
  ["gpt-image-2.5-flare-2026-09-08", flare],
  [sunburst.model, sunburst],
  ["gpt-image-2.5-sunburst", sunburst],
  ["gpt-image-2.5-sunburst-2026-09-08", sunburst],
]);

export const names = modelNames(models, /^(?:gpt-image|dall-e)-/, ofModel);

export function isWithoutLinks(name: string): boolean {
  return /^(?:chat)?gpt-image-/.test(name);
}

function named(model: string, vendorName: string): [string, Model][] {
  const known: Model = { model, sizes: null, hasOldQualities: false };
  return [
    [model, known],
    [vendorName, known],
  ];
}
