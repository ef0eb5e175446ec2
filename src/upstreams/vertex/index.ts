// Google Vertex AI: Gemini, Claude by its own body, open models by OpenAI's wire, and predictions,
// which are embeddings, Imagen and Veo. A channel speaks one of the wires, by its format.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { UpstreamDialect } from "../../formats/exchange.ts";
import type { FormatName } from "../../formats/format.ts";
import { geminiImages } from "../kit/google/image.ts";
import { placed } from "../kit/google/path.ts";
import { mendText as mend } from "../kit/mend-text.ts";
import { takenBody } from "../kit/video-reply.ts";
import type { Address, ImageFacet, Target, TextAsk, Upstream, VendorCall } from "../upstream.ts";
import { addressAt, modelAddress } from "./address.ts";
import { claudeAddress, fitRawPredict, toRawPredict } from "./claude.ts";
import { embeddingVerb, isEmbeddedByContent, toEmbedding } from "./embeddings.ts";
import { readVertexFault } from "./errors.ts";
import { isImagen, lacksImagen, runImagen } from "./imagen.ts";
import { tierHeaders, withoutTier } from "./tier.ts";
import { video } from "./video.ts";

const contentFormats: readonly FormatName[] = ["content", "predict"];
const formats: Partial<Record<UpstreamDialect, readonly FormatName[]>> = {
  content: contentFormats,
  messages: ["messages"],
  chat: ["chat"],
};

const gemini = geminiImages(({ target, model }) =>
  placed(modelAddress(target, model, { verb: ":generateContent" })),
);

const image: ImageFacet = {
  lacks: (job) => (isImagen(job.model) ? lacksImagen(job) : gemini.lacks(job)),
  run: (job, original, call) =>
    isImagen(call.model) ? runImagen(job, call) : gemini.run(job, original, call),
};

export const vertex: Upstream = {
  type: "vertex",
  text: {
    formats: (dialect) => formats[dialect ?? "content"] ?? contentFormats,
    address,
    isRephrased: (format, model) => format === "predict" && isEmbeddedByContent(model),
    fit: (_body, ask) => (ask.format === "messages" ? fitRawPredict(ask) : []),
    surchargeHeaders: (body, format) => (format === "content" ? tierHeaders(body) : {}),
    adjust,
    mend,
  },
  image,
  video,
  check,
  readFault: readVertexFault,
};

const openaiWay = {
  version: "v1",
  path: "endpoints/openapi/chat/completions",
} as const;

function address(ask: TextAsk, target: Target): Address | null {
  const { format, action, model, wireHeaders } = ask;
  if (format === "messages") return claudeAddress(ask, target);
  if (action === "compact") return null;
  if (format === "content") return modelAddress(target, model, { verb: verbOf(ask), wireHeaders });
  if (action === "count") return null;
  if (format === "predict") return modelAddress(target, model, { verb: embeddingVerb(model) });
  return format === "chat" ? addressAt(target, { ...openaiWay, wireHeaders }) : null;
}

function verbOf({ action, stream }: TextAsk): string {
  if (action === "count") return ":countTokens";
  return stream ? ":streamGenerateContent?alt=sse" : ":generateContent";
}

function adjust(body: JsonObject, ask: TextAsk): JsonObject {
  if (ask.format === "messages") return toRawPredict(body, ask);
  if (ask.format === "predict") return toEmbedding(body, ask.model);
  if (ask.format !== "content") return body;
  return withoutTier(ask.action === "count" ? unwrapped(body) : body);
}

/** The whole request is counted as it stands, where Google's other API has it wrapped. */
function unwrapped(body: JsonObject): JsonObject {
  const wrapped = body["generateContentRequest"] ?? body["generate_content_request"];
  if (!isObject(wrapped)) return body;
  const { model: _model, ...request } = wrapped;
  return request;
}

/** Any model will do: a count costs nothing, and needs the right that answers need. */
const countedModel = "gemini-2.5-flash";

async function check({ target, send }: VendorCall): Promise<void> {
  const address = placed(modelAddress(target, countedModel, { verb: ":countTokens" }));
  const body = { contents: [{ role: "user", parts: [{ text: "." }] }] };
  takenBody(await send({ method: "POST", address, body }), readVertexFault);
}
