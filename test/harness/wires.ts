// Replies of vendors of the four dialects on their wires, for the scripted vendor to give.
import type { Dialect } from "../../src/formats/exchange.ts";
import type { VendorReply, VendorScript } from "./vendor.ts";

export interface Counts {
  /** Everything that was read, cache included. */
  input: number;
  /** Everything that was generated, thinking included. */
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

export interface Wire {
  /** Settings of a channel to such a vendor. */
  channel: { type: string; format?: Dialect };
  /** A whole reply; null usage leaves it out. */
  reply(text: string, counts: Counts | null): object;
  /** Announcement of a stream before it begins. */
  announcement(): string;
  /** Everything before the first word. */
  opening(): string;
  delta(text: string): string;
  ending(text: string, counts: Counts | null): string;
  /** An error inside a stream, and one instead of an answer. */
  fault(message: string): string;
  refusal(status: number, message: string): object;
}

export const defaultCounts: Counts = { input: 10, output: 20 };

function event(data: object, name?: string): string {
  const text = `data: ${JSON.stringify(data)}\n\n`;
  return name === undefined ? text : `event: ${name}\n${text}`;
}

const chatHead = {
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_790_000_000,
  model: "vendor-model",
};

function chatUsage({ input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 }: Counts) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function chatChunk(delta: object, finish: string | null = null): string {
  return event({ ...chatHead, choices: [{ index: 0, delta, finish_reason: finish }] });
}

const openaiRefusal = (status: number, message: string) => ({
  error: { message, type: status < 500 ? "invalid_request_error" : "server_error", code: null },
});

const chat: Wire = {
  channel: { type: "openai" },
  reply: (content, counts) => ({
    ...chatHead,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    ...(counts && { usage: chatUsage(counts) }),
  }),
  announcement: () => chatChunk({ role: "assistant", content: "" }),
  opening: () => chat.announcement(),
  delta: (content) => chatChunk({ content }),
  ending: (_text, counts) =>
    chatChunk({}, "stop") +
    (counts ? event({ ...chatHead, choices: [], usage: chatUsage(counts) }) : "") +
    "data: [DONE]\n\n",
  fault: (message) => event({ error: { message, type: "server_error" } }),
  refusal: openaiRefusal,
};

let responseCount = 0;
const textItem = (text: string, status: string) => ({
  type: "message",
  id: "msg_1",
  status,
  role: "assistant",
  content: status === "completed" ? [{ type: "output_text", text, annotations: [] }] : [],
});
const response = (fields: object) => ({
  id: `resp_${responseCount}`,
  object: "response",
  created_at: 1_790_000_000,
  error: null,
  incomplete_details: null,
  model: "vendor-model",
  ...fields,
});
const responseUsage = ({ input, output, ...rest }: Counts) => ({
  input_tokens: input,
  input_tokens_details: {
    cached_tokens: rest.cacheRead ?? 0,
    cache_write_tokens: rest.cacheWrite ?? 0,
  },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: rest.reasoning ?? 0 },
  total_tokens: input + output,
});
const begun = () => response({ status: "in_progress", output: [], usage: null });
const done = (text: string, counts: Counts | null) =>
  response({
    status: "completed",
    output: [textItem(text, "completed")],
    usage: counts && responseUsage(counts),
  });
const step = (type: string, number: number, fields: object) =>
  event({ type, sequence_number: number, ...fields }, type);
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
const textPart = (text: string) => ({ type: "output_text", text, annotations: [] });

const responses: Wire = {
  channel: { type: "openai", format: "responses" },
  reply(text, counts) {
    responseCount++;
    return done(text, counts);
  },
  announcement() {
    responseCount++;
    return [
      step("response.created", 0, { response: begun() }),
      step("response.in_progress", 1, { response: begun() }),
    ].join("");
  },
  opening() {
    return [
      responses.announcement(),
      step("response.output_item.added", 2, { output_index: 0, item: textItem("", "in_progress") }),
      step("response.content_part.added", 3, { ...place, part: textPart("") }),
    ].join("");
  },
  delta: (text) => step("response.output_text.delta", 4, { ...place, delta: text, logprobs: [] }),
  ending: (text, counts) =>
    [
      step("response.output_text.done", 5, { ...place, text, logprobs: [] }),
      step("response.content_part.done", 6, { ...place, part: textPart(text) }),
      step("response.output_item.done", 7, { output_index: 0, item: textItem(text, "completed") }),
      step("response.completed", 8, { response: done(text, counts) }),
    ].join(""),
  fault: (message) => {
    const error = { code: "server_error", message };
    return step("response.failed", 5, { response: response({ status: "failed", error }) });
  },
  refusal: openaiRefusal,
};

function messagesUsage({ input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 }: Counts) {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
  };
}

const messageHead = { id: "msg_1", type: "message", role: "assistant", model: "vendor-model" };
const ended = { stop_reason: "end_turn", stop_sequence: null };
const named = (type: string, fields: object = {}) => event({ type, ...fields }, type);

const messages: Wire = {
  channel: { type: "anthropic" },
  reply: (text, counts) => ({
    ...messageHead,
    content: [{ type: "text", text }],
    ...ended,
    ...(counts && { usage: messagesUsage(counts) }),
  }),
  announcement: () =>
    named("message_start", {
      message: { ...messageHead, content: [], stop_reason: null, stop_sequence: null },
    }) + named("ping"),
  opening: () =>
    messages.announcement() +
    named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  delta: (text) => named("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
  ending: (_text, counts) =>
    named("content_block_stop", { index: 0 }) +
    named("message_delta", { delta: ended, ...(counts && { usage: messagesUsage(counts) }) }) +
    named("message_stop"),
  fault: (message) => named("error", { error: { type: "overloaded_error", message } }),
  refusal: (status, message) => ({
    type: "error",
    error: { type: status < 500 ? "invalid_request_error" : "api_error", message },
  }),
};

function contentUsage({ input, output, cacheRead = 0, reasoning = 0 }: Counts) {
  return {
    promptTokenCount: input,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + output,
  };
}

function contentReply(text: string, finishReason: string | null, counts: Counts | null): object {
  const content = { role: "model", parts: [{ text }] };
  return {
    candidates: [{ content, index: 0, ...(finishReason !== null && { finishReason }) }],
    ...(counts && { usageMetadata: contentUsage(counts) }),
    modelVersion: "vendor-model",
    responseId: "content-1",
  };
}

const contentRefusal = (status: number, message: string) => ({
  error: { code: status, message, status: status < 500 ? "INVALID_ARGUMENT" : "INTERNAL" },
});

const content: Wire = {
  channel: { type: "google" },
  reply: (text, counts) => contentReply(text, "STOP", counts),
  announcement: () => "",
  opening: () => "",
  delta: (text) => event(contentReply(text, null, null)),
  ending: (_text, counts) => event(contentReply("", "STOP", counts)),
  fault: (message) => event(contentRefusal(503, message)),
  refusal: contentRefusal,
};

export const wires: Readonly<Record<Dialect, Wire>> = { chat, responses, messages, content };

/** Answers whatever is asked with this text, whole or streamed as it was asked for. */
export function answers(
  dialect: Dialect,
  text: string,
  counts: Counts | null = defaultCounts,
): VendorScript {
  const wire = wires[dialect];
  return ({ body, path }, reply: VendorReply) => {
    if (body["stream"] !== true && !path.includes(":stream")) {
      return reply.json(wire.reply(text, counts));
    }
    reply.stream();
    reply.chunk(wire.opening() + wire.delta(text) + wire.ending(text, counts));
    reply.end();
  };
}

/** Refuses whatever is asked. */
export function refuses(dialect: Dialect, status: number, message: string): VendorScript {
  return (_request, reply) => reply.json(wires[dialect].refusal(status, message), status);
}
