// Embeddings: texts in, vectors out. Nothing is generated, so only the input is paid for.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { EmbeddingAsk, EmbeddingReply } from "../embedding.ts";
import type { Format, Observed, TextRequest } from "../format.ts";
import { embeddingRequest, observedInput } from "../kit/embedded.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import { nullable } from "../kit/openai-fields.ts";
import { encodeOpenaiError, OpenaiStreamObserver } from "../kit/openai-stream.ts";
import { estimateTokens, readCount } from "../usage.ts";
import { embeddingsPlaces } from "./places.ts";

export const embeddingsRequest = compile(
  Type.Object({
    model: Type.String({ minLength: 1, maxLength: 256 }),
    input: Type.Unsafe<unknown>({ type: ["string", "array"], minLength: 1, minItems: 1 }),
    dimensions: nullable("integer", { minimum: 1 }),
    encoding_format: Type.Optional(Type.Unsafe<unknown>({ enum: ["float", "base64", null] })),
    user: nullable("string"),
  }),
);

export const embeddings: Format = {
  name: "embeddings",
  headers: [],
  boundField: "input",
  read: readEmbeddingsRequest,
  forward: (body, { model }) => ({ ...body, model }),
  readReply: readEmbeddingsReply,
  // A request is never streamed; an observer that sees nothing is all there can be.
  observe: (request) =>
    new OpenaiStreamObserver(request, { estimate: () => 0, brings: () => true }),
  encodeError: encodeOpenaiError,
  requestTexts: ({ input }) => textsOf(input),
  replyTexts: () => [],
  client: null,
  upstream: null,
  embedding: { decodeRequest, encodeReply, upstream: { encodeRequest, decodeReply } },
};

function readEmbeddingsRequest(body: JsonObject): TextRequest {
  const { model } = parseWith(embeddingsRequest, body);
  checkInput(body["input"]);
  return embeddingRequest(model, new PlaceWalk().body(body, embeddingsPlaces));
}

/** A list is one of texts, of lists of tokens, or the tokens of a single text: never mixed. */
function checkInput(input: Json | undefined): void {
  if (!Array.isArray(input)) return;
  const isSame = typeof input[0] === "string" ? isText : isToken(input[0]) ? isToken : isTokenList;
  for (const [at, entry] of input.entries()) {
    if (!isSame(entry)) throw invalid(`input.${at}`, "must be a text, a token or a list of tokens");
  }
}

function isText(entry: Json | undefined): boolean {
  return typeof entry === "string" && entry !== "";
}

function isToken(entry: Json | undefined): boolean {
  return typeof entry === "number" && Number.isInteger(entry) && entry >= 0;
}

function isTokenList(entry: Json | undefined): boolean {
  return Array.isArray(entry) && entry.length > 0 && entry.every(isToken);
}

function textsOf(input: Json | undefined): string[] {
  const entries = Array.isArray(input) ? input : [input];
  return entries.filter((entry) => typeof entry === "string");
}

function readEmbeddingsReply(body: unknown): Observed | null {
  if (!isObject(body) || !Array.isArray(body["data"])) return null;
  return observedInput(tokensIn(body));
}

function tokensIn({ usage }: JsonObject): number | null {
  return isObject(usage) ? readCount(usage["prompt_tokens"]) : null;
}

/** Tokens mean something to the model alone that they were made for. */
function decodeRequest({ input, dimensions }: JsonObject): EmbeddingAsk {
  const texts = textsOf(input);
  if (texts.length !== (Array.isArray(input) ? input.length : 1)) {
    throw invalid("input", "must be text: the upstream of this model takes no tokens");
  }
  return { texts, dimensions: typeof dimensions === "number" ? dimensions : null, ignored: [] };
}

function encodeRequest({ texts, dimensions }: EmbeddingAsk, model: string): JsonObject {
  const size = dimensions === null ? {} : { dimensions };
  return { model, input: texts, encoding_format: "float", ...size };
}

function decodeReply(body: unknown): EmbeddingReply | null {
  if (!isObject(body) || !Array.isArray(body["data"])) return null;
  const vectors = body["data"].flatMap((entry) => {
    const values = isObject(entry) ? entry["embedding"] : null;
    if (!Array.isArray(values)) return [];
    return [values.filter((value) => typeof value === "number")];
  });
  if (vectors.length === 0 || vectors.length < body["data"].length) return null;
  return { vectors, inputTokens: tokensIn(body) };
}

function encodeReply(
  { vectors, inputTokens }: EmbeddingReply,
  { body, model }: { body: JsonObject; model: string },
): JsonObject {
  const isPacked = body["encoding_format"] === "base64";
  const estimate = () => Math.ceil(estimateTokens(textsOf(body["input"]).join("\n")));
  const counted = inputTokens ?? estimate();
  return {
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: isPacked ? packed(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: counted, total_tokens: counted },
  };
}

function packed(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}
