// Embeddings on Vertex: the older models predict, the newer ones embed one content a call.
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { listIn, partOf } from "../kit/vendor-reply.ts";

const contentModel = /^gemini-embedding-(?!001\b)/;

export function isEmbeddedByContent(model: string): boolean {
  return contentModel.test(model);
}

export function embeddingVerb(model: string): string {
  return isEmbeddedByContent(model) ? ":embedContent" : ":predict";
}

/** One text alone has a place there; a list goes as it is, and the vendor says what it thinks. */
export function toEmbedding(body: JsonObject, model: string): JsonObject {
  const instances = listIn(body, "instances").filter(isObject);
  const [first] = instances;
  if (!isEmbeddedByContent(model) || first === undefined || instances.length > 1) return body;
  const { content, task_type: taskType, title } = first;
  const { outputDimensionality, autoTruncate } = partOf(body, "parameters");
  const config = { taskType, title, outputDimensionality, autoTruncate };
  const options = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    content: { parts: [{ text: content ?? "" }] },
    ...(options.length > 0 && { embedContentConfig: Object.fromEntries(options) }),
  };
}
