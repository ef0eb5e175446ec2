// Google's embeddings: one text by embedContent, or up to a hundred by batchEmbedContents.
import { isObject, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { EmbeddingAsk, EmbeddingReply, EmbeddingSide } from "../embedding.ts";
import type { AddressFacts, Format, TextRequest } from "../format.ts";
import { embeddingRequest, hintAt, hintsIn, observedInput } from "../kit/embedded.ts";
import type { Place } from "../kit/places/place.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import { encodeOpenaiError, OpenaiStreamObserver } from "../kit/openai-stream.ts";
import { readCount } from "../usage.ts";
import { batchEmbedPlaces, embedPlaces } from "./places.ts";
import { batchEmbedRequest, embedRequest, requestsIn, textIn, textsIn } from "./schema.ts";

export { batchEmbedRequest, embedRequest } from "./schema.ts";

const side: EmbeddingSide = {
  decodeRequest,
  encodeReply: ({ vectors: [values = []] }) => ({ embedding: { values } }),
};

export const embedContent: Format = {
  ...shared(),
  name: "embedContent",
  boundField: "content",
  read(body, address) {
    parseWith(embedRequest, body);
    return readWith(body, embedPlaces, address);
  },
  forward: (body, { model }) => ({ ...body, model: resourceName(model) }),
  readReply: (body) => observed(readVectors(body)),
  embedding: side,
};

export const batchEmbedContents: Format = {
  ...shared(),
  name: "batchEmbedContents",
  boundField: "requests",
  read(body, address) {
    parseWith(batchEmbedRequest, body);
    return readWith(body, batchEmbedPlaces, address);
  },
  forward: (body, { model }) => ({
    ...body,
    requests: requestsIn(body).map(({ request }) => ({ ...request, model: resourceName(model) })),
  }),
  readReply: (body) => observed(readVectors(body)),
  embedding: {
    ...side,
    encodeReply: ({ vectors }) => ({ embeddings: vectors.map((values) => ({ values })) }),
    upstream: { takesHints: true, encodeRequest, decodeReply: readVectors },
  },
};

/** Nothing is generated, so nothing is ever streamed. */
function shared(): Pick<
  Format,
  "headers" | "observe" | "encodeError" | "requestTexts" | "replyTexts" | "client" | "upstream"
> {
  return {
    headers: [],
    observe: (request) =>
      new OpenaiStreamObserver(request, { estimate: () => 0, brings: () => true }),
    encodeError: encodeOpenaiError,
    requestTexts: (body) => requestsIn(body).flatMap(({ request }) => textsIn(request["content"])),
    replyTexts: () => [],
    client: null,
    upstream: null,
  };
}

function readWith(body: JsonObject, places: Place, address: AddressFacts | null): TextRequest {
  const walk = new PlaceWalk({ hasSpellings: true }).body(body, places);
  return embeddingRequest(address?.model ?? "", walk);
}

/** Texts of one batch may differ in what they ask for; other wires have one word for all. */
function decodeRequest(body: JsonObject): EmbeddingAsk {
  const requests = requestsIn(body);
  const [first] = requests;
  const size = first?.request["outputDimensionality"] ?? first?.request["output_dimensionality"];
  return {
    texts: requests.map(({ request, at }) => textIn(request, at)),
    ...hintsIn(requests.map(({ request }) => request)),
    dimensions: typeof size === "number" ? size : null,
    ignored: [],
  };
}

function encodeRequest({ texts, dimensions, hints }: EmbeddingAsk, model: string): JsonObject {
  return {
    requests: texts.map((text, at) => ({
      model: resourceName(model),
      content: { parts: [{ text }] },
      ...hintAt(hints, at, "taskType"),
      ...(dimensions !== null && { outputDimensionality: dimensions }),
    })),
  };
}

function readVectors(body: unknown): EmbeddingReply | null {
  if (!isObject(body)) return null;
  const several = Array.isArray(body["embeddings"]) ? body["embeddings"] : [body["embedding"]];
  const vectors = several.flatMap((entry) => {
    const values = isObject(entry) ? entry["values"] : null;
    if (!Array.isArray(values)) return [];
    return [values.filter((value) => typeof value === "number")];
  });
  if (vectors.length === 0 || vectors.length < several.length) return null;
  const promptTokens = isObject(body["usageMetadata"])
    ? body["usageMetadata"]["promptTokenCount"]
    : null;
  return { vectors, inputTokens: readCount(promptTokens) };
}

function observed(reply: EmbeddingReply | null) {
  return reply && observedInput(reply.inputTokens);
}

function resourceName(model: string): string {
  return `models/${model.replace(/^models\//, "")}`;
}
