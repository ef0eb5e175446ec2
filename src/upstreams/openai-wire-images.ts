// Images on the OpenAI wire, which gateways with this API speak as well.
import { isObject, type JsonObject } from "../core/json.ts";
import { noImage } from "./kit/image-reply.ts";
import { amountOf, partOf, textOf } from "./kit/vendor-reply.ts";
import type { ImageReply, ImageUsage, MadeImage, VideoResult } from "./upstream.ts";

/** `asked` is the size that was asked for, for a vendor that does not say which one it made. */
export function readMadeImages(body: JsonObject, requestedSize: string | null): ImageReply {
  const items = Array.isArray(body["data"]) ? body["data"].filter(isObject) : [];
  const size = textOf(body["size"]) ?? requestedSize;
  const images = items.flatMap((item): MadeImage[] => {
    const source = sourceOf(item);
    if (!source) return [];
    const revisedPrompt = textOf(item["revised_prompt"]);
    return [{ source, revisedPrompt, size: textOf(item["size"]) ?? size }];
  });
  if (images.length === 0) throw noImage();
  return {
    images,
    failures: items.filter((item) => !sourceOf(item)).map(failureOf),
    quality: textOf(body["quality"]),
    background: textOf(body["background"]),
    outputFormat: textOf(body["output_format"]),
    usage: readImageUsage(body),
  };
}

/** The maker itself sends bytes; some who resell it send links. */
function sourceOf(item: JsonObject): VideoResult | null {
  const base64 = textOf(item["b64_json"]);
  if (base64 !== null) return { kind: "bytes", base64 };
  const url = textOf(item["url"]);
  return url === null ? null : { kind: "url", url, headers: {} };
}

function failureOf(item: JsonObject): ImageReply["failures"][number] {
  const error = partOf(item, "error");
  return {
    code: textOf(error["code"]) ?? "no_image",
    message: textOf(error["message"]) ?? "The upstream did not make this image.",
  };
}

/** Usage in an answer, or in the event that ends a stream. Zeros are as good as nothing. */
export function readImageUsage(holder: JsonObject): ImageUsage | null {
  const usage = partOf(holder, "usage");
  const inputTokens = amountOf(usage["input_tokens"]);
  const outputTokens = amountOf(usage["output_tokens"]);
  if (inputTokens === null || outputTokens === null) return null;
  const totalTokens = amountOf(usage["total_tokens"]) ?? inputTokens + outputTokens;
  if (totalTokens === 0) return null;
  const input = partOf(usage, "input_tokens_details");
  const output = partOf(usage, "output_tokens_details");
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    inputTextTokens: amountOf(input["text_tokens"]),
    inputImageTokens: amountOf(input["image_tokens"]),
    outputImageTokens: amountOf(output["image_tokens"]),
    outputTextTokens: amountOf(output["text_tokens"]),
  };
}
