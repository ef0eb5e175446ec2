// Text in its five formats, and the errands around it.
import { chatRequest } from "../../../formats/chat/schema.ts";
import { completionsRequest } from "../../../formats/completions/schema.ts";
import { contentRequest } from "../../../formats/content/schema.ts";
import { embeddingsRequest } from "../../../formats/embeddings/index.ts";
import { messagesRequest } from "../../../formats/messages/schema.ts";
import { responsesRequest } from "../../../formats/responses/schema.ts";
import { Type } from "../../../core/schema.ts";
import { text, whole, type Operations } from "../operation.ts";
import * as answers from "./text-answers.ts";

const tag = "Text";
const says = (content: string) => [{ role: "user", content }];
const streams = "With `stream: true` the answer is a stream of server-sent events.";
const contents = [{ role: "user", parts: [{ text: "Say hello." }] }];

export const textOperations: Operations = {
  "POST /v1/chat/completions": {
    tag,
    summary: "Create a chat completion",
    description: `OpenAI's chat format, for every text model. ${streams}`,
    body: {
      schema: chatRequest.schema,
      example: { model: "chatA", messages: says("Say hello.") },
    },
    answer: answers.chatCompletion,
  },
  "POST /v1/completions": {
    tag,
    summary: "Create a completion (legacy)",
    description: streams,
    body: {
      schema: completionsRequest.schema,
      example: { model: "chatA", prompt: "Say hello." },
    },
    answer: answers.legacyCompletion,
  },
  "POST /v1/embeddings": {
    tag,
    summary: "Create embeddings",
    body: {
      schema: embeddingsRequest.schema,
      example: { model: "embedA", input: "The weir held." },
    },
    answer: answers.embeddingList,
  },
  "POST /v1/responses": {
    tag,
    summary: "Create a response",
    description: `OpenAI's responses format, for every text model. ${streams}`,
    body: {
      schema: responsesRequest.schema,
      example: { model: "chatA", input: "Say hello." },
    },
    answer: answers.response,
  },
  "POST /v1/responses/compact": {
    tag,
    summary: "Condense a conversation",
    body: {
      schema: responsesRequest.schema,
      example: { model: "chatA", input: says("Say hello.") },
    },
    answer: answers.compaction,
  },
  "POST /v1/responses/input_tokens": {
    tag,
    summary: "Count the tokens of a response's input",
    body: {
      schema: responsesRequest.schema,
      example: { model: "chatA", input: "Say hello." },
    },
    answer: Type.Object({ object: Type.Literal("response.input_tokens"), input_tokens: whole() }),
  },
  "GET /v1/responses/{id}": {
    tag,
    summary: "Read a stored response",
    answer: answers.response,
  },
  "DELETE /v1/responses/{id}": {
    tag,
    summary: "Delete a stored response",
    answer: Type.Object({ id: text(), object: Type.Literal("response"), deleted: Type.Boolean() }),
  },
  "GET /v1/responses/{id}/input_items": {
    tag,
    summary: "List what was said before a stored response",
    query: {
      limit: { schema: Type.Integer({ minimum: 1, maximum: 100 }) },
      order: { schema: Type.Unsafe<string>({ type: "string", enum: ["asc", "desc"] }) },
      after: { schema: text() },
    },
    answer: answers.inputItems,
  },
  "POST /v1/responses/{id}/cancel": {
    tag,
    summary: "Cancel a response that is made in the background",
    answer: answers.response,
  },
  "POST /v1/messages": {
    tag,
    summary: "Create a message",
    description: `Anthropic's messages format, for every text model. ${streams}`,
    body: {
      schema: messagesRequest.schema,
      example: { model: "chatB", max_tokens: 200, messages: says("Say hello.") },
    },
    answer: answers.message,
  },
  "POST /v1/messages/count_tokens": {
    tag,
    summary: "Count the tokens of a message",
    body: {
      schema: messagesRequest.schema,
      example: { model: "chatB", messages: says("Say hello.") },
    },
    answer: Type.Object({ input_tokens: whole() }),
  },
  "POST /v1beta/models/{model}:generateContent": {
    tag,
    summary: "Generate content",
    description: "Google's format, for every text model.",
    body: { schema: contentRequest.schema, example: { contents } },
    answer: answers.generated,
  },
  "POST /v1beta/models/{model}:streamGenerateContent": {
    tag,
    summary: "Generate content as a stream",
    description: "With `alt=sse` as server-sent events, without it as a JSON array.",
    query: { alt: { schema: Type.Literal("sse") } },
    body: { schema: contentRequest.schema, example: { contents } },
    answer: Type.Array(answers.generated),
  },
  "POST /v1beta/models/{model}:countTokens": {
    tag,
    summary: "Count the tokens of contents",
    body: { schema: contentRequest.schema, example: { contents } },
    answer: Type.Object({ totalTokens: whole() }),
  },
  "GET /v1/models": {
    tag: "Models",
    summary: "List the models that the key may use",
    description: "With an `anthropic-version` header in the shape of Anthropic's list.",
    answer: Type.Union([
      Type.Object({ object: Type.Literal("list"), data: Type.Array(answers.listedModel) }),
      Type.Object({ data: Type.Array(answers.anthropicModel), has_more: Type.Boolean() }),
    ]),
  },
  "GET /v1/models/{id}": {
    tag: "Models",
    summary: "Read a model",
    answer: Type.Union([answers.listedModel, answers.anthropicModel]),
  },
  "GET /v1beta/models": {
    tag: "Models",
    summary: "List the models as Google does",
    query: { pageSize: { schema: Type.Integer({ minimum: 1 }) }, pageToken: { schema: text() } },
    answer: Type.Object({
      models: Type.Array(answers.googleModel),
      nextPageToken: Type.Optional(text()),
    }),
  },
  "GET /v1beta/models/{id}": {
    tag: "Models",
    summary: "Read a model as Google shows it",
    answer: answers.googleModel,
  },
};
