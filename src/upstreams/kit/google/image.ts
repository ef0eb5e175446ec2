// Images by Gemini, which generates them as content: one for each call, among words and drafts.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { ImageJob } from "../../../families/image-job.ts";
import { joinCalls } from "../image-calls.ts";
import { noImage, withheld } from "../image-reply.ts";
import { amountOf, listIn, partOf, textOf } from "../vendor-reply.ts";
import { takenBody } from "../video-reply.ts";
import type { Address, ImageCall, ImageFacet, ImageReply, ImageUsage } from "../../upstream.ts";
import { readGoogleFault } from "./faults.ts";
import { lacks, toRequest } from "./image-request.ts";

/** The address of a call that generates content, wherever the model is served. */
type AddressOf = (call: ImageCall) => Address;

export function geminiImages(addressOf: AddressOf): ImageFacet {
  return { lacks, run: async (job, _original, call) => run(job, call, addressOf(call)) };
}

/** Reasons for which a picture is kept back. */
const filterReasons = new Set([
  "SAFETY",
  "PROHIBITED_CONTENT",
  "BLOCKLIST",
  "SPII",
  "RECITATION",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);
/** The model found nothing to draw, or drew nothing that could be used. */
const emptyReasons = new Set(["NO_IMAGE", "IMAGE_OTHER", "STOP"]);

async function run(job: ImageJob, call: ImageCall, address: Address): Promise<ImageReply> {
  return joinCalls(job.count, async (index) => {
    const body = toRequest(job, call.model, index);
    return readReply(
      takenBody(await call.send({ method: "POST", address, body }), readGoogleFault),
    );
  });
}

function readReply(body: JsonObject): ImageReply {
  const candidate = listIn(body, "candidates").find(isObject) ?? {};
  const picture = listIn(partOf(candidate, "content"), "parts")
    .filter(isObject)
    .filter((part) => part["thought"] !== true)
    .map((part) => partOf(part, "inlineData"))
    .find((data) => isPicture(data));
  const base64 = textOf(picture?.["data"]);
  if (!picture || base64 === null) throw refusalOf(body, candidate);
  return {
    // Its size is said nowhere.
    images: [{ source: { kind: "bytes", base64 }, revisedPrompt: null, size: null }],
    failures: [],
    quality: null,
    background: null,
    outputFormat: typeOf(picture).replace("image/", ""),
    usage: usageOf(partOf(body, "usageMetadata")),
  };
}

function isPicture(data: JsonObject): boolean {
  return typeOf(data).startsWith("image/") && textOf(data["data"]) !== null;
}

function typeOf(data: JsonObject): string {
  return textOf(data["mimeType"]) ?? "";
}

function refusalOf(body: JsonObject, candidate: JsonObject): Error {
  const feedback = partOf(body, "promptFeedback");
  if (textOf(feedback["blockReason"]) !== null) {
    return withheld(textOf(feedback["blockReasonMessage"]) ?? "The upstream blocked the prompt.");
  }
  const reason = textOf(candidate["finishReason"]) ?? "";
  const message = textOf(candidate["finishMessage"]);
  if (filterReasons.has(reason)) return withheld(message ?? "The upstream withheld the image.");
  if (!emptyReasons.has(reason)) return noImage();
  return withheld(message ?? "The upstream answered without an image.", "no_image");
}

/** Thoughts are charged as output. */
function usageOf(usage: JsonObject): ImageUsage | null {
  const inputTokens = amountOf(usage["promptTokenCount"]);
  const candidateTokens = amountOf(usage["candidatesTokenCount"]);
  if (inputTokens === null || candidateTokens === null || candidateTokens === 0) return null;
  const thoughtTokens = amountOf(usage["thoughtsTokenCount"]) ?? 0;
  const outputTokens = candidateTokens + thoughtTokens;
  const imageTokens = countOf(usage, "candidatesTokensDetails", "IMAGE");
  return {
    inputTokens,
    outputTokens,
    totalTokens: amountOf(usage["totalTokenCount"]) ?? inputTokens + outputTokens,
    inputTextTokens: countOf(usage, "promptTokensDetails", "TEXT"),
    inputImageTokens: countOf(usage, "promptTokensDetails", "IMAGE"),
    outputImageTokens: imageTokens,
    outputTextTokens: imageTokens === null ? null : Math.max(0, outputTokens - imageTokens),
  };
}

/** Null when there are no details; a kind that they leave out has none. */
function countOf(usage: JsonObject, name: string, modality: string): number | null {
  const details = listIn(usage, name).filter(isObject);
  if (details.length === 0) return null;
  const counted = details.find((detail) => detail["modality"] === modality);
  return counted ? amountOf(counted["tokenCount"]) : 0;
}
