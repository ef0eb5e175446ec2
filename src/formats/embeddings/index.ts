// Embeddings: texts in, vectors out. Nothing is generated, so only the input is paid for.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import { noOrigins, type Format, type Observed, type TextRequest } from "../format.ts";
import { nullable } from "../kit/openai-fields.ts";
import { encodeOpenaiError, OpenaiStreamObserver } from "../kit/openai-stream.ts";
import { readCount } from "../usage.ts";

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
};

function readEmbeddingsRequest(body: JsonObject): TextRequest {
  const { model } = parseWith(embeddingsRequest, body);
  checkInput(body["input"]);
  return {
    model,
    stream: false,
    framing: "events",
    choices: 1,
    outputTokensMax: 0,
    mediaParts: 0,
    mediaBytes: 0,
    wantsUsage: true,
    origins: noOrigins,
  };
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
  const counted = isObject(body["usage"]) ? readCount(body["usage"]["prompt_tokens"]) : null;
  const usage = counted === null ? null : { ...nothing, inputTokens: counted };
  return { usage, outputTokensEstimate: 0, origins: [] };
}

const nothing = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
