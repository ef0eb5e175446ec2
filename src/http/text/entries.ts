// Entries of the reference on text in its five formats, and on the auxiliary calls around it.
import { chatRequest } from "../../formats/chat/schema.ts";
import { completionsRequest } from "../../formats/completions/schema.ts";
import { contentRequest } from "../../formats/content/schema.ts";
import { batchEmbedRequest, embedRequest } from "../../formats/embed-content/index.ts";
import { predictRequest } from "../../formats/predict/schema.ts";
import { embeddingsRequest } from "../../formats/embeddings/index.ts";
import { messagesFields, messagesRequest } from "../../formats/messages/schema.ts";
import { responsesRequest } from "../../formats/responses/schema.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { text, whole } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import * as answers from "./answers.ts";

const tag = "Text";
const says = (content: string) => [{ role: "user", content }];
const streams = "With `stream: true` the answer is a stream of server-sent events.";
const once =
  "Under one `Idempotency-Key` it is made and charged once, however often it is sent; " +
  "`Last-Event-ID` takes up a stream that was cut.";
const contents = [{ role: "user", parts: [{ text: "Say hello." }] }];

const embedded = { parts: [{ text: "The weir held." }] };

/** The address names the model, and says whether it streams. */
const { model: _model, stream: _stream, ...invokedFields } = messagesFields;
const invoked = Type.Object({
  ...invokedFields,
  anthropic_version: Type.Optional(text()),
  anthropic_beta: Type.Optional(Type.Array(text())),
});
const invokedExample = {
  anthropic_version: "bedrock-2023-05-31",
  max_tokens: 200,
  messages: says("Say hello."),
};

export const textEntries = {
  chat: {
    tag,
    isStreamed: true,
    summary: "Create a chat completion",
    description: `OpenAI's chat format, for every text model. ${streams} ${once}`,
    body: {
      schema: chatRequest.schema,
      example: { model: "chatA", messages: says("Say hello.") },
    },
    answer: answers.chatCompletion,
  },
  completions: {
    tag,
    isStreamed: true,
    summary: "Create a completion (legacy)",
    description: `${streams} ${once}`,
    body: {
      schema: completionsRequest.schema,
      example: { model: "chatA", prompt: "Say hello." },
    },
    answer: answers.legacyCompletion,
  },
  embeddings: {
    tag,
    summary: "Create embeddings",
    description: once,
    body: {
      schema: embeddingsRequest.schema,
      example: { model: "embedA", input: "The weir held." },
    },
    answer: answers.embeddingList,
  },
  responses: {
    tag,
    isStreamed: true,
    summary: "Create a response",
    description: `OpenAI's responses format, for every text model. ${streams} ${once}`,
    body: {
      schema: responsesRequest.schema,
      example: { model: "chatA", input: "Say hello." },
    },
    answer: answers.response,
  },
  responsesSocket: {
    tag,
    isSocket: true,
    summary: "Open a WebSocket for responses",
    description:
      "Each text frame `response.create` has the fields of a POST and is a request of its own; " +
      "the events of its stream come back as text frames, an error as an `error` event. One " +
      "response at a time. Where `text.response_sockets` is off, it is a 426, and clients go on " +
      "with a POST.",
    answer: { type: "text/plain", description: "The handshake's 101 has no body." },
  },
  compact: {
    tag,
    summary: "Condense a conversation",
    description: once,
    body: {
      schema: responsesRequest.schema,
      example: { model: "chatA", input: says("Say hello.") },
    },
    answer: answers.compactionSchema,
  },
  countResponse: {
    tag,
    summary: "Count the tokens of a response's input",
    body: {
      schema: responsesRequest.schema,
      example: { model: "chatA", input: "Say hello." },
    },
    answer: Type.Object({ object: Type.Literal("response.input_tokens"), input_tokens: whole() }),
  },
  readStored: {
    tag,
    summary: "Read a stored response",
    answer: answers.response,
  },
  deleteStored: {
    tag,
    summary: "Delete a stored response",
    answer: Type.Object({ id: text(), object: Type.Literal("response"), deleted: Type.Boolean() }),
  },
  listStoredInput: {
    tag,
    summary: "List what was said before a stored response",
    query: {
      limit: { schema: Type.Integer({ minimum: 1, maximum: 100 }) },
      order: { schema: Type.Unsafe<string>({ type: "string", enum: ["asc", "desc"] }) },
      after: { schema: text() },
    },
    // A parameter the vendor does not know never reaches it.
    takesAnyQuery: true,
    answer: answers.inputItemsSchema,
  },
  cancelStored: {
    tag,
    summary: "Cancel a response that is made in the background",
    answer: answers.response,
  },
  messages: {
    tag,
    isStreamed: true,
    summary: "Create a message",
    description: `Anthropic's messages format, for every text model. ${streams} ${once}`,
    body: {
      schema: messagesRequest.schema,
      example: { model: "chatB", max_tokens: 200, messages: says("Say hello.") },
    },
    answer: answers.message,
  },
  invoke: {
    tag,
    summary: "Create a message, as clients of Bedrock do",
    description: "Anthropic's messages format; the address names the model.",
    body: { schema: invoked, example: invokedExample },
    answer: answers.message,
  },
  invokeStream: {
    tag,
    summary: "Create a message as a stream, as clients of Bedrock do",
    body: { schema: invoked, example: invokedExample },
    answer: {
      type: "application/vnd.amazon.eventstream",
      description: "Frames of Amazon's event stream, each with one event of a message.",
    },
  },
  countMessage: {
    tag,
    summary: "Count the tokens of a message",
    body: {
      schema: messagesRequest.schema,
      example: { model: "chatB", messages: says("Say hello.") },
    },
    answer: Type.Object({ input_tokens: whole() }),
  },
  generateContent: {
    tag,
    summary: "Generate content",
    description: `Google's format, for every text model. ${once}`,
    body: { schema: contentRequest.schema, example: { contents } },
    answer: answers.generated,
  },
  embedContent: {
    tag,
    summary: "Embed content",
    description: `Google's format, for every model of embeddings. ${once}`,
    body: { schema: embedRequest.schema, example: { content: embedded } },
    answer: answers.embeddedContent,
  },
  batchEmbedContents: {
    tag,
    summary: "Embed several contents",
    description: once,
    body: { schema: batchEmbedRequest.schema, example: { requests: [{ content: embedded }] } },
    answer: answers.embeddedContents,
  },
  predict: {
    tag,
    summary: "Embed texts or make pictures by a prediction",
    description:
      "Vertex AI's format, for every model of embeddings, and of images: those are asked for by " +
      `a \`prompt\` in place of the \`content\`, and come as base64. ${once}`,
    body: {
      schema: predictRequest.schema,
      example: { instances: [{ content: "The weir held." }] },
    },
    answer: answers.predictedVectors,
  },
  streamContent: {
    tag,
    isStreamed: true,
    summary: "Generate content as a stream",
    description:
      "As server-sent events. With `alt=json`, or an `Accept` of `application/json` alone, " +
      `as one JSON array. ${once}`,
    query: { alt: { schema: Type.Enum(["sse", "json"]) } },
    body: { schema: contentRequest.schema, example: { contents } },
    answer: Type.Array(answers.generated),
  },
  countContent: {
    tag,
    summary: "Count the tokens of contents",
    body: { schema: contentRequest.schema, example: { contents } },
    answer: Type.Object({ totalTokens: whole() }),
  },
} satisfies Record<string, ReferenceEntry>;
