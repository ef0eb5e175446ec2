// Every family of videos and images, and the one that serves a model.
import type { JsonObject } from "../core/json.ts";
import type { VideoFamily } from "./family.ts";
import type { FamilyField } from "./field.ts";
import type { ImageFamily } from "./image-family.ts";
import { defaultName as editModel } from "./image-a/models.ts";
import { imageA } from "./image-a/index.ts";
import { imageG } from "./image-g/index.ts";
import { imageH } from "./image-h/index.ts";
import type { ImageJob } from "./image-job.ts";
import type { Named } from "./model-names.ts";
import { pick } from "./kit/fields.ts";
import { manxue } from "./manxue/index.ts";
import { omniFast } from "./omni-fast/index.ts";
import { videoA } from "./video-a/index.ts";
import { videoB } from "./video-b/index.ts";
import { videoC1 } from "./video-c1/index.ts";
import { videoC2 } from "./video-c2/index.ts";
import { videoD } from "./video-d/index.ts";
import { videoE } from "./video-e/index.ts";

export {
  modelOf as imgFModel,
  parse as parseImgF,
  parseSimpleChange as parseImgFSimpleChange,
  render as renderImgF,
  renderAccepted as renderImgFAccepted,
  type ImgFCode,
  type ImgFView,
} from "./img-f/index.ts";
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

export const imageFamilies: readonly ImageFamily[] = [imageA, imageG, imageH];

const byModel = toMap(videoFamilies);
const imagesByModel = toMap(imageFamilies);

/** Find a family by any name that selects it, vendors' own names included. */
export function findVideoFamily(model: string): VideoFamily | undefined {
  return byModel.get(model);
}

export function findImageFamily(model: string): ImageFamily | undefined {
  return imagesByModel.get(model);
}

/** Fields a form offers for a model; none where no family has it. */
export function formFields(model: string): FamilyField[] {
  return (findVideoFamily(model) ?? findImageFamily(model))?.fields(model) ?? [];
}

/** The name that a request for images goes by: edits may leave it out, and all else may not. */
export function imageModel(body: JsonObject, kind: ImageJob["kind"]): string {
  const name = pick(body, ["model", "model_name"])?.value ?? (kind === "edit" ? editModel : "");
  return typeof name === "string" ? name : "";
}

const allNames = [...videoFamilies, ...imageFamilies].flatMap(({ names }) => names ?? []);

/** The models that another name may stand for; none of one that is a model's own. */
export function modelsBehind(name: string): readonly string[] {
  return allNames.flatMap(({ standsFor }) => standsFor.get(name) ?? []);
}

/** The vendors' names of what goes by these of the families' own. */
export function vendorNamesOf(models: readonly string[]): string[] {
  const known = new Set(models);
  return allNames.flatMap(({ standsFor, isVendors, aliases }) =>
    [...standsFor].flatMap(([name, behind]) =>
      (isVendors(name) || aliases?.has(name)) && behind.some((model) => known.has(model))
        ? [name]
        : [],
    ),
  );
}

/** The name of a job's model in answers, the log and the bill. */
export function shownModel({ model, asked: askedName = model }: Named): string {
  return allNames.some(({ isVendors }) => isVendors(askedName)) ? askedName : model;
}

function toMap<Family extends { models: readonly string[] }>(
  families: readonly Family[],
): ReadonlyMap<string, Family> {
  return new Map(families.flatMap((family) => family.models.map((model) => [model, family])));
}
