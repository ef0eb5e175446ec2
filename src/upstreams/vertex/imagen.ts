// Images by Imagen, which predicts them: one a call, of a few shapes, and from words alone.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { joinCalls } from "../kit/image-calls.ts";
import { noImage, withheld } from "../kit/image-reply.ts";
import { hasSeeds, seedAt } from "../kit/image-seed.ts";
import { shapeOf } from "../kit/google/image-request.ts";
import { placed } from "../kit/google/path.ts";
import { listIn, textOf } from "../kit/vendor-reply.ts";
import { takenBody } from "../kit/video-reply.ts";
import type { ImageCall, ImageReply } from "../upstream.ts";
import { modelAddress } from "./address.ts";
import { readVertexFault } from "./errors.ts";

const ratios = ["1:1", "3:4", "4:3", "9:16", "16:9"];
const classes = ["1K", "2K"];
const fileTypes = ["png", "jpeg"];

/** The vendor's own parameters that clients may set. */
const ownNames = ["personGeneration", "safetySetting", "enhancePrompt", "language"];

export function isImagen(model: string): boolean {
  return /(?:^|\/)imagen/.test(model);
}

export function lacksImagen(job: ImageJob): string | null {
  const shape = shapeOf(job);
  if (shape === null) return "size";
  if (shape.ratio !== null && !ratios.includes(shape.ratio)) return "aspect_ratio";
  if (shape.sizeClass !== null && !classes.includes(shape.sizeClass)) return "size";
  if (job.outputFormat !== null && !fileTypes.includes(job.outputFormat)) return "output_format";
  // A picture with a mark in it is another one each time.
  if (job.seed !== null && job.watermark === true) return "seed";
  if (!hasSeeds(job.seed, job.count)) return "seed";
  const [first] = job.images;
  return job.mask?.param ?? first?.param ?? (job.kind === "edit" ? "image" : null);
}

export async function runImagen(job: ImageJob, call: ImageCall): Promise<ImageReply> {
  const address = placed(modelAddress(call.target, call.model, { verb: ":predict" }));
  return joinCalls(job.count, async (index) => {
    const body = toImagen(job, index);
    const reply = await call.send({ method: "POST", address, body });
    return readImagen(takenBody(reply, readVertexFault));
  });
}

/** The `index` is that of the call. */
export function toImagen(job: ImageJob, index: number): JsonObject {
  const { ratio, sizeClass } = shapeOf(job) ?? { ratio: null, sizeClass: null };
  const seed = seedAt(job.seed, index);
  const own = ownNames.flatMap((name) => {
    const value = job.extras[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const parameters: JsonObject = { ...Object.fromEntries(own), sampleCount: 1 };
  if (ratio !== null) parameters["aspectRatio"] = ratio;
  if (sizeClass !== null) parameters["sampleImageSize"] = sizeClass;
  if (seed !== null) parameters["seed"] = seed;
  const hasMark = seed === null ? job.watermark : false;
  if (hasMark !== null) parameters["addWatermark"] = hasMark;
  if (job.outputFormat !== null) {
    parameters["outputOptions"] = { mimeType: `image/${job.outputFormat}` };
  }
  return { instances: [{ prompt: job.prompt }], parameters };
}

function readImagen(body: JsonObject): ImageReply {
  const predictions = listIn(body, "predictions").filter(isObject);
  const picture = predictions.find((one) => textOf(one["bytesBase64Encoded"]) !== null);
  const base64 = textOf(picture?.["bytesBase64Encoded"]);
  if (!picture || base64 === null) throw refusalOf(predictions, body);
  return {
    images: [
      { source: { kind: "bytes", base64 }, revisedPrompt: textOf(picture["prompt"]), size: null },
    ],
    failures: [],
    quality: null,
    background: null,
    outputFormat: (textOf(picture["mimeType"]) ?? "image/png").replace("image/", ""),
    usage: null,
  };
}

/** Without a word, an answer of nothing means that its filter left every picture out. */
function refusalOf(predictions: readonly JsonObject[], body: JsonObject): Error {
  const reason = predictions.map((one) => textOf(one["raiFilteredReason"])).find(Boolean);
  if (reason) return withheld(reason);
  const isEmpty = predictions.length === 0 && !("error" in body);
  return isEmpty ? withheld("The upstream withheld the image.") : noImage();
}
