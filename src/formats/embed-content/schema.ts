// Fields of a request for embeddings in Google's format, in both spellings of their names.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { compile, Type } from "../../core/schema.ts";

const dimensions = Type.Optional(Type.Unsafe<unknown>({ type: ["integer", "null"], minimum: 1 }));
const words = Type.Optional(Type.Unsafe<unknown>({ type: ["string", "null"] }));

const one = {
  model: words,
  content: Type.Object({ parts: Type.Array(Type.Object({ text: words }), { minItems: 1 }) }),
  taskType: words,
  title: words,
  outputDimensionality: dimensions,
  output_dimensionality: dimensions,
};

export const embedRequest = compile(Type.Object(one));

export const batchEmbedRequest = compile(
  Type.Object({ requests: Type.Array(Type.Object(one), { minItems: 1, maxItems: 100 }) }),
);

/** The requests of either, each under the name by which a refusal calls it. */
export function requestsIn(body: JsonObject): { request: JsonObject; at: string }[] {
  const { requests } = body;
  if (!Array.isArray(requests)) return [{ request: body, at: "" }];
  return requests.flatMap((request, index) =>
    isObject(request) ? [{ request, at: `requests.${index}.` }] : [],
  );
}

/** The text of one that is embedded; throws the 400 of a part that is no text. */
export function textIn({ content }: JsonObject, at: string): string {
  const texts = textsIn(content);
  if (texts.length === 0 || texts.length < partsOf(content).length) {
    throw invalid(`${at}content.parts`, "must be texts: the upstream of this model takes no media");
  }
  return texts.join("\n");
}

export function textsIn(content: Json | undefined): string[] {
  return partsOf(content).flatMap((part) => {
    const text = isObject(part) ? part["text"] : null;
    return typeof text === "string" ? [text] : [];
  });
}

function partsOf(content: Json | undefined): Json[] {
  const parts = isObject(content) ? content["parts"] : null;
  return Array.isArray(parts) ? parts : [];
}
