// Embeddings as Vertex predicts them: texts are instances, and one word for all is a parameter.
import { isObject, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { EmbeddingAsk, EmbeddingReply } from "../embedding.ts";
import type { AddressFacts, Format, TextRequest } from "../format.ts";
import { embeddingRequest, hintAt, hintsIn, observedInput } from "../kit/embedded.ts";
import { encodeOpenaiError, OpenaiStreamObserver } from "../kit/openai-stream.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import { readCount } from "../usage.ts";
import { predictPlaces } from "./places.ts";
import { instancesIn, predictRequest } from "./schema.ts";

export const predict: Format = {
  name: "predict",
  headers: [],
  boundField: "instances",
  read: readPredict,
  forward: (body) => ({ ...body }),
  readReply: (body) => {
    const reply = decodeReply(body);
    return reply && observedInput(reply.inputTokens);
  },
  // Nothing is generated, so nothing is ever streamed.
  observe: (request) =>
    new OpenaiStreamObserver(request, { estimate: () => 0, brings: () => true }),
  encodeError: encodeOpenaiError,
  requestTexts: (body) => instancesIn(body).map(({ content }) => content),
  replyTexts: () => [],
  client: null,
  upstream: null,
  embedding: {
    decodeRequest,
    encodeReply,
    upstream: { takesHints: true, encodeRequest, decodeReply },
  },
};

function readPredict(body: JsonObject, address: AddressFacts | null): TextRequest {
  parseWith(predictRequest, body);
  const walk = new PlaceWalk({ hasSpellings: true }).body(body, predictPlaces);
  return embeddingRequest(address?.model ?? "", walk);
}

function decodeRequest(body: JsonObject): EmbeddingAsk {
  const instances = instancesIn(body);
  const parameters = isObject(body["parameters"]) ? body["parameters"] : {};
  const { outputDimensionality: size, autoTruncate } = parameters;
  return {
    texts: instances.map(({ content }) => content),
    ...hintsIn(instances.map(({ instance }) => instance)),
    dimensions: typeof size === "number" ? size : null,
    ignored: autoTruncate === undefined ? [] : ["parameters.autoTruncate"],
  };
}

function encodeRequest({ texts, dimensions, hints }: EmbeddingAsk): JsonObject {
  const instances = texts.map((content, at) => ({ content, ...hintAt(hints, at, "task_type") }));
  if (dimensions === null) return { instances };
  return { instances, parameters: { outputDimensionality: dimensions } };
}

function encodeReply({ vectors }: EmbeddingReply): JsonObject {
  return { predictions: vectors.map((values) => ({ embeddings: { values } })) };
}

/** Newer models answer with one embedding, and with the usage beside it. */
function decodeReply(body: unknown): EmbeddingReply | null {
  if (!isObject(body)) return null;
  const { predictions, embedding, usageMetadata } = body;
  const several = Array.isArray(predictions) ? predictions.map(embeddingsIn) : [embedding];
  const vectors = several.flatMap((entry) => {
    const values = isObject(entry) ? entry["values"] : null;
    if (!Array.isArray(values)) return [];
    return [values.filter((value) => typeof value === "number")];
  });
  if (vectors.length === 0 || vectors.length < several.length) return null;
  const promptTokens = isObject(usageMetadata)
    ? readCount(usageMetadata["promptTokenCount"])
    : null;
  return { vectors, inputTokens: promptTokens ?? sum(several.map(tokensIn)) };
}

function embeddingsIn(prediction: unknown): unknown {
  return isObject(prediction) ? prediction["embeddings"] : null;
}

function tokensIn(entry: unknown): number | null {
  const statistics = isObject(entry) ? entry["statistics"] : null;
  return isObject(statistics) ? readCount(statistics["token_count"]) : null;
}

/** Null when one of them was not counted: the sum would be too low. */
function sum(counts: readonly (number | null)[]): number | null {
  return counts.reduce((all, count) => (all === null || count === null ? null : all + count), 0);
}
