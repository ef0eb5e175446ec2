// Embeddings of Amazon's and Cohere's models, each with a body and an answer of its own.
import type { JsonObject } from "../../src/core/json.ts";
import type { Answer } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";
import { countTokens } from "../writer/tokens.ts";
import { BedrockRefusal } from "./errors.ts";

const usualLength = 8;

/** Null for a model that makes none. */
export function embeddingAnswer(model: string, body: JsonObject): Answer | null {
  if (/titan-embed/.test(model)) return titanAnswer(body);
  return /cohere\.embed/.test(model) ? cohereAnswer(body) : null;
}

function titanAnswer({ inputText, dimensions, ...others }: JsonObject): Answer {
  if (typeof inputText !== "string" || Object.keys(others).length > 0) {
    throw new BedrockRefusal(400, "Malformed input request, please reformat your input.");
  }
  const embedding = vectorOf(inputText, dimensions);
  return jsonAnswer({ embedding, inputTextTokenCount: countTokens(inputText) });
}

/** Its count is told in a header alone. */
function cohereAnswer({ texts, input_type: type, output_dimension: length }: JsonObject): Answer {
  const list = Array.isArray(texts) ? texts.map(String) : [];
  if (list.length === 0 || list.length > 96 || typeof type !== "string") {
    throw new BedrockRefusal(400, "Malformed input request, please reformat your input.");
  }
  const embeddings = { float: list.map((text) => vectorOf(text, length)) };
  const answer = jsonAnswer({ embeddings, response_type: "embeddings_by_type" });
  const tokens = String(countTokens(list.join(" ")));
  return { ...answer, headers: { ...answer.headers, "x-amzn-bedrock-input-token-count": tokens } };
}

function vectorOf(text: string, length: unknown): number[] {
  const size = typeof length === "number" ? length : usualLength;
  return Array.from(
    { length: size },
    (_, at) => ((text.charCodeAt(at % text.length) || 1) % 97) / 97,
  );
}
