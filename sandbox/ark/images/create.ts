// Images by Seedream: one for each call, or a series, of which the last may fail by itself.
import { type Faults, readFaults } from "../../directives.ts";
import { readJobPlan } from "../../jobs.ts";
import { drawPicture, type PictureAsk } from "../../picture/index.ts";
import { pictureLink } from "../../picture/links.ts";
import type { Answer, VendorRequest } from "../../vendor.ts";
import { type ImageVisit, jsonAnswer, jsonBodyOf } from "../../wire.ts";
import { Refusal, refusalAnswer } from "../errors.ts";
import { prefix } from "../tasks.ts";
import { type Ask, imagesOf, readAsk, seriesOf, sizeOf } from "./request.ts";

const pixelsPerToken = 256;
/** The watermark that is drawn unless the request says false. */
const mark = "AI";
const failed = { code: "InternalServiceError", message: "The image could not be generated." };

export function createImages(visit: ImageVisit): Answer {
  const { request, key } = visit;
  const ask = readAsk(jsonBodyOf(request));
  const pictures = picturesOf(ask, visit.serial);
  request.note({ model: ask.model });
  const faults = readFaults(ask.prompt, key);
  const { outcome } = readJobPlan(ask.prompt, key);
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), faults);
  if (outcome === "filter") return refusalAnswer(filtered(), faults);
  const made = outcome === "fail" ? pictures.slice(0, -1) : pictures;
  const items = made.map((picture) => render(picture, ask, request));
  const body = {
    model: ask.model,
    created: Math.floor(visit.nowMs / 1000),
    data: made.length < pictures.length ? [...items, { error: failed }] : items,
    ...usageOf(made, faults),
  };
  return jsonAnswer(body, { faults });
}

function picturesOf(ask: Ask, serial: string): PictureAsk[] {
  const size = sizeOf(ask);
  const seed = `${ask.prompt} ${imagesOf(ask).length} ${ask.seed ?? serial}`;
  return Array.from({ length: seriesOf(ask) }, (_, index) => ({
    ...size,
    format: ask.output_format ?? "jpeg",
    seed: `${seed} ${index}`,
    ...(ask.watermark === false ? {} : { label: mark }),
  }));
}

function render(picture: PictureAsk, ask: Ask, request: VendorRequest): object {
  const size = `${picture.width}x${picture.height}`;
  if (ask.response_format !== "b64_json") {
    return { url: pictureLink(request, prefix, picture), size };
  }
  return { b64_json: Buffer.from(drawPicture(picture)).toString("base64"), size };
}

function usageOf(made: readonly PictureAsk[], { noUsage }: Faults): object {
  if (noUsage) return {};
  const pixels = made.reduce((total, { width, height }) => total + width * height, 0);
  const tokens = Math.floor(pixels / pixelsPerToken);
  return {
    usage: { generated_images: made.length, output_tokens: tokens, total_tokens: tokens },
  };
}

function filtered(): Refusal {
  return new Refusal(400, {
    code: "OutputImageSensitiveContentDetected",
    message: "The request failed because the output image may contain sensitive information.",
  });
}
