// Images by Seedream. There is no count: each image is a call of its own, unless a series is asked
// for. An item of an answer may be an error although the answer is none.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { bearerAddress } from "../kit/bearer.ts";
import { joinCalls } from "../kit/image-calls.ts";
import { noImage, withheld } from "../kit/image-reply.ts";
import { amountOf, idOf, partOf, textOf } from "../kit/vendor-reply.ts";
import { takenBody } from "../kit/video-reply.ts";
import {
  VendorRefusal,
  type ImageCall,
  type ImageFacet,
  type ImageReply,
  type ImageUsage,
  type MadeImage,
  type VideoResult,
} from "../upstream.ts";
import { readCredentials, apiVersion } from "./credentials.ts";
import { isContentCode, readFault } from "./errors.ts";
import { isSeries, lacks, toBody, toSize } from "./image-request.ts";

export const image: ImageFacet = { lacks, run };

const path = "/api/v3/images/generations";
const contentCode = "content_policy_violation";

function run(job: ImageJob, _original: JsonObject, call: ImageCall): Promise<ImageReply> {
  const { bearer: token } = readCredentials(call.target.key);
  const address = bearerAddress(call.target, { path, version: apiVersion, token });
  return joinCalls(isSeries(job) ? 1 : job.count, async (index) => {
    const body = toBody(job, call.model, index);
    const reply = await call.send({ method: "POST", address, body });
    return readReply(takenBody(reply, readFault), job);
  });
}

function readReply(body: JsonObject, job: ImageJob): ImageReply {
  const items = Array.isArray(body["data"]) ? body["data"].filter(isObject) : [];
  const images = items.flatMap((item): MadeImage[] => {
    const source = sourceOf(item);
    const size = textOf(item["size"]) ?? pixelsOf(job);
    return source ? [{ source, revisedPrompt: null, size }] : [];
  });
  const failures = items.filter((item) => !sourceOf(item)).map(failureOf);
  if (images.length === 0) throw refusalOf(failures[0]);
  return {
    images,
    failures,
    quality: null,
    background: null,
    outputFormat: textOf(body["output_format"]) ?? job.outputFormat,
    usage: usageOf(partOf(body, "usage")),
  };
}

/** The link is open to everyone and lives for a day. */
function sourceOf(item: JsonObject): VideoResult | null {
  const base64 = textOf(item["b64_json"]);
  if (base64 !== null) return { kind: "bytes", base64 };
  const url = textOf(item["url"]);
  return url === null ? null : { kind: "url", url, headers: {} };
}

/** A class is no size, and what came of it only the vendor can tell. */
function pixelsOf(job: ImageJob): string | null {
  const size = toSize(job) ?? null;
  return size !== null && /^\d+x\d+$/.test(size) ? size : null;
}

type Failure = ImageReply["failures"][number];

function failureOf(item: JsonObject): Failure {
  const error = partOf(item, "error");
  const code = idOf(error["code"]) ?? "no_image";
  const message = textOf(error["message"]) ?? "The upstream did not make this image.";
  return { code: isContentCode(code) ? contentCode : code, message };
}

function refusalOf(failure: Failure | undefined): Error {
  if (!failure) return noImage();
  const { code, message } = failure;
  return code === contentCode
    ? withheld(message)
    : new VendorRefusal({ blame: "channel", message });
}

/** It counts the images' tokens alone. */
function usageOf(usage: JsonObject): ImageUsage | null {
  const outputTokens = amountOf(usage["output_tokens"]);
  if (outputTokens === null || outputTokens === 0) return null;
  const totalTokens = Math.max(outputTokens, amountOf(usage["total_tokens"]) ?? 0);
  return {
    inputTokens: totalTokens - outputTokens,
    outputTokens,
    totalTokens,
    inputTextTokens: null,
    inputImageTokens: null,
    outputImageTokens: outputTokens,
    outputTextTokens: null,
  };
}
