// Pictures as clients of Vertex AI ask for them, by a prediction: Imagen's words become those of a
// request for images, whose model stands in the address.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { findImageFamily } from "../../families/index.ts";
import { renderPredictions } from "../../gateway/image/render-image.ts";
import { serveImage } from "../../gateway/image/serve-image.ts";
import { RewrittenIncoming, type Rewrite } from "../aliases/rewritten-incoming.ts";
import type { ImageRouteNeeds } from "../images.ts";
import type { KeyRoute } from "../route.ts";
import { serveOnce } from "./once.ts";

export type PredictImages = KeyRoute["serve"];

/** Whether the model of the address draws; all others predict vectors. */
export function isDrawn(model: string | undefined): boolean {
  return model !== undefined && findImageFamily(model) !== undefined;
}

export function predictImages({ serving, once, bodyBytesMax }: ImageRouteNeeds): PredictImages {
  return async (original, call) => {
    const incoming = new RewrittenIncoming(original, toImages, "json");
    const creation = { kind: "generate", call, render: renderPredictions } as const;
    if (original.headers.has("idempotency-key"))
      return await serveOnce(once, { ...creation, incoming });
    const { value: body } = await incoming.json(bodyBytesMax);
    return await serveImage(serving, {
      ...creation,
      isForm: false,
      body,
      address: original.address,
    });
  };
}

/** Ratios by the size that models take which know pixels alone. */
const sizes: Readonly<Record<string, string>> = {
  "1:1": "1024x1024",
  "3:2": "1536x1024",
  "2:3": "1024x1536",
  "4:3": "1536x1152",
  "3:4": "1152x1536",
  "16:9": "1920x1080",
  "9:16": "1080x1920",
};

/** Parameters by the fields that they become; all others have no place, and say nothing of size. */
const fields: Readonly<Record<string, string>> = {
  sampleCount: "n",
  seed: "seed",
  addWatermark: "watermark",
};
/** Parameters that a picture would be another one without. */
const unknown = ["negativePrompt", "storageUri", "outputGcsUri", "editMode", "editConfig"];

const toImages: Rewrite = ({ instances, parameters }, { params, headers }) => {
  const model = params["model"] ?? "";
  const wishes = isObject(parameters) ? parameters : {};
  for (const name of unknown) {
    if (isSaid(wishes[name])) throw invalid(`parameters.${name}`, "is not taken here");
  }
  const picked = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
    const value = wishes[name];
    return isSaid(value) ? [[field, value ?? null]] : [];
  });
  const body = {
    model,
    prompt: promptIn(instances),
    response_format: "b64_json",
    ...Object.fromEntries(picked),
    ...shapeOf(model, wishes),
    ...formatOf(wishes["outputOptions"]),
  };
  return { body, headers };
};

function promptIn(instances: Json | undefined): Json {
  const [first, ...others] = Array.isArray(instances) ? instances : [];
  if (!isObject(first)) throw invalid("instances", "must have an object with a prompt");
  if (others.length > 0) throw invalid("instances", "must be one: sampleCount says how many");
  for (const name of ["image", "mask", "referenceImages"]) {
    if (isSaid(first[name])) {
      throw invalid(`instances.0.${name}`, "is not taken here: edits go to /v1/images/edits");
    }
  }
  return first["prompt"] ?? null;
}

/** A ratio and a class of size where the model has those, or else pixels. */
function shapeOf(model: string, { aspectRatio, sampleImageSize }: JsonObject): JsonObject {
  const names = new Set(
    findImageFamily(model)
      ?.fields(model)
      .map(({ name }) => name),
  );
  if (names.has("aspect_ratio")) {
    return {
      ...(isSaid(aspectRatio) && { aspect_ratio: aspectRatio ?? null }),
      ...(isSaid(sampleImageSize) && { image_size: sampleImageSize ?? null }),
    };
  }
  if (isSaid(sampleImageSize)) {
    throw invalid("parameters.sampleImageSize", "must be left out: this model's sizes are pixels");
  }
  if (!isSaid(aspectRatio)) return {};
  const size = typeof aspectRatio === "string" ? sizes[aspectRatio] : undefined;
  if (size !== undefined) return { size };
  throw invalid("parameters.aspectRatio", `must be one of ${Object.keys(sizes).join(", ")}`);
}

function formatOf(options: Json | undefined): JsonObject {
  const type = isObject(options) ? options["mimeType"] : null;
  if (!isSaid(type)) return {};
  if (typeof type === "string" && /^image\/\w+$/.test(type)) {
    return { output_format: type.slice("image/".length) };
  }
  throw invalid("parameters.outputOptions.mimeType", "must be the type of a picture");
}

function isSaid(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
