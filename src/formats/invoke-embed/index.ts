// Embeddings by InvokeModel on Amazon's Bedrock, where each maker's models have a body of their
// own. Upstreams speak it, no client does.
import { embedderOf } from "../../catalogue/rules/bedrock.ts";
import { GatewayError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { EmbeddingAsk, EmbeddingReply } from "../embedding.ts";
import type { Format } from "../format.ts";
import { observedInput } from "../kit/embedded.ts";
import { noClient, upstreamOnly } from "../no-client.ts";
import { readCount } from "../usage.ts";

export const invokeEmbed: Format = {
  ...upstreamOnly,
  name: "invokeEmbed",
  boundField: "input",
  readReply: (body) => {
    const reply = decodeReply(body);
    return reply && observedInput(reply.inputTokens);
  },
  replyTexts: () => [],
  upstream: null,
  embedding: {
    decodeRequest: noClient,
    encodeReply: noClient,
    upstream: { encodeRequest, decodeReply },
  },
};

function encodeRequest(ask: EmbeddingAsk, model: string): JsonObject {
  const { texts, dimensions } = ask;
  switch (embedderOf(model)) {
    case "cohere":
      return {
        texts,
        // Every request has to say it, and no other wire does.
        input_type: "search_document",
        embedding_types: ["float"],
        ...(dimensions !== null && { output_dimension: dimensions }),
      };
    case "nova": {
      const text = { truncationMode: "NONE", value: only(texts) };
      const params: JsonObject = { embeddingPurpose: "GENERIC_INDEX", text };
      if (dimensions !== null) params["embeddingDimension"] = dimensions;
      return { taskType: "SINGLE_EMBEDDING", singleEmbeddingParams: params };
    }
    case "titan":
      return { inputText: only(texts), ...(dimensions !== null && { dimensions }) };
  }
}

/** These models take one text at a time. */
function only(texts: readonly string[]): string {
  const [text = ""] = texts;
  if (texts.length <= 1) return text;
  const message = "input must be one text: the model that serves this takes no more at a time";
  throw new GatewayError("invalid_request", { param: "input", message });
}

function decodeReply(body: unknown): EmbeddingReply | null {
  if (!isObject(body)) return null;
  const { embedding, embeddings, inputTextTokenCount: tokens } = body;
  const several = isObject(embeddings) ? embeddings["float"] : embeddings;
  const entries = Array.isArray(several) ? several : [embedding];
  const vectors = entries.flatMap((entry) =>
    vectorIn(isObject(entry) ? entry["embedding"] : entry),
  );
  if (vectors.length === 0 || vectors.length < entries.length) return null;
  return { vectors, inputTokens: readCount(tokens) };
}

function vectorIn(values: Json | undefined): number[][] {
  if (!Array.isArray(values)) return [];
  return [values.filter((value) => typeof value === "number")];
}
