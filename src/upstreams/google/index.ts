// Google: the model and what is wanted of it stand in the address.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Address, Target, TextAsk, Upstream } from "../upstream.ts";
import { bareName, placed } from "../kit/google/path.ts";
import { addressBelow } from "./address.ts";
import { check, listGoogleModels } from "./check.ts";
import { readGoogleFault } from "../kit/google/faults.ts";
import { geminiImages } from "../kit/google/image.ts";
import { mendText as mend } from "../kit/mend-text.ts";
import { video } from "./video.ts";

export const google: Upstream = {
  type: "google",
  text: { formats: () => ["content", "embedContent", "batchEmbedContents"], address, adjust, mend },
  video,
  image: geminiImages(({ model, target }) =>
    placed(addressBelow(`models/${bareName(model)}`, target, { verb: ":generateContent" })),
  ),
  check,
  models: listGoogleModels,
  readFault: readGoogleFault,
};

function address(ask: TextAsk, target: Target): Address | null {
  const verb = verbOf(ask);
  if (verb === null) return null;
  const { wireHeaders } = ask;
  return addressBelow(`models/${bareName(ask.model)}`, target, { verb: `:${verb}`, wireHeaders });
}

function verbOf({ format, action, stream }: TextAsk): string | null {
  if (format === "embedContent" || format === "batchEmbedContents") {
    return action === "generate" ? format : null;
  }
  if (format !== "content" || action === "compact") return null;
  if (action === "count") return "countTokens";
  return stream ? "streamGenerateContent?alt=sse" : "generateContent";
}

/** Only contents may be counted as they stand; a whole request is wrapped and names its model. */
function adjust(body: JsonObject, { action, model }: TextAsk): JsonObject {
  if (action !== "count") return body;
  const wrapped = body["generateContentRequest"] ?? body["generate_content_request"];
  const request = isObject(wrapped) ? wrapped : body;
  const isPlain = request === body && Object.keys(body).every((name) => name === "contents");
  if (isPlain) return body;
  return { generateContentRequest: { ...request, model: `models/${bareName(model)}` } };
}
