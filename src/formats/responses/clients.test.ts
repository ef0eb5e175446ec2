// Output of the encoders, read by the clients that people use.
import { describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, streamText, type ToolSet } from "ai";
import OpenAI from "openai";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Citation, MediaPart } from "../exchange.ts";
import { foldParts } from "../kit/fold.ts";
import type { StreamPart } from "../stream-part.ts";
import { encodeResponsesReply } from "./encode-reply.ts";
import { ResponsesStreamEncoder } from "./encode-stream.ts";
import { frameOf, textParts, usageOf } from "./fixtures/shapes.ts";
import { responses } from "./index.ts";

/** A gateway that answers every request with this reply, whole or streamed as it is asked. */
function answering(parts: StreamPart[], error: GatewayError | null = null): typeof fetch {
  async function answer(_: unknown, init?: RequestInit) {
    const body = JSON.parse(String(init?.body)) as JsonObject;
    const frame = frameOf(body);
    if (body["stream"] !== true) {
      const reply = foldParts(parts);
      if (!reply) throw new Error("the parts make no reply");
      return Response.json(encodeResponsesReply(reply, frame));
    }
    const encoder = new ResponsesStreamEncoder(frame);
    const written = parts.map((part) => encoder.push(part)).join("");
    const last = error ? new TextDecoder().decode(responses.encodeError(error, "r1")) : "";
    return new Response(written + last, { headers: { "content-type": "text/event-stream" } });
  }
  answer.preconnect = fetch.preconnect;
  return answer;
}

const openai = (parts: StreamPart[], error?: GatewayError) =>
  new OpenAI({ apiKey: "k", fetch: answering(parts, error), maxRetries: 0 });

const model = (parts: StreamPart[], error?: GatewayError) =>
  createOpenAI({ apiKey: "k", fetch: answering(parts, error) }).responses("m");

const citation: Citation = {
  url: "https://example.com",
  title: "Docs",
  quote: null,
  start: 0,
  end: 2,
  document: null,
};

/** A little of everything: thinking, a cited text, two calls side by side, an image. */
const everything: StreamPart[] = [
  { kind: "reply-start", id: null },
  start(0, { kind: "reasoning", isRedacted: false }),
  { kind: "block-delta", block: 0, text: "Let me see." },
  { kind: "block-proof", block: 0, proof: { dialect: "messages", data: "sig" } },
  { kind: "block-end", block: 0 },
  start(1, { kind: "text" }),
  { kind: "block-delta", block: 1, text: "It is " },
  { kind: "block-delta", block: 1, text: "so." },
  { kind: "block-citation", block: 1, citation },
  { kind: "block-end", block: 1 },
  start(2, { kind: "call", id: "call_1", name: "weather", isCustom: false }),
  start(3, { kind: "call", id: "call_2", name: "weather", isCustom: false }),
  { kind: "block-delta", block: 3, text: '{"city":' },
  { kind: "block-delta", block: 2, text: '{"city":"Rome"}' },
  { kind: "block-proof", block: 2, proof: { dialect: "content", data: "sig", on: "call" } },
  { kind: "block-end", block: 2 },
  { kind: "block-delta", block: 3, text: '"Oslo"}' },
  { kind: "block-end", block: 3 },
  { kind: "choice-end", choice: 0, stop: "calls", stopSequence: null },
  { kind: "usage", usage: { ...usageOf(11, 22), reasoningTokens: 7, cacheReadTokens: 3 } },
  { kind: "reply-end" },
];

function start(
  block: number,
  content: Extract<StreamPart, { kind: "block-start" }>["content"],
): StreamPart {
  return { kind: "block-start", block, choice: 0, content };
}

/** Rarer parts: a refusal, a custom call, an image, a citation of a document, a link. */
const oddities: StreamPart[] = [
  { kind: "reply-start", id: null },
  start(0, { kind: "reasoning", isRedacted: true }),
  { kind: "block-proof", block: 0, proof: { dialect: "messages", data: "dark" } },
  { kind: "block-end", block: 0 },
  start(1, { kind: "text" }),
  { kind: "block-delta", block: 1, text: "As written." },
  { kind: "block-citation", block: 1, citation: { ...citation, url: null, document: 1 } },
  { kind: "block-end", block: 1 },
  start(2, { kind: "refusal" }),
  { kind: "block-delta", block: 2, text: "No." },
  { kind: "block-end", block: 2 },
  start(3, { kind: "call", id: "call_1", name: "sql", isCustom: true }),
  { kind: "block-delta", block: 3, text: "select 1" },
  { kind: "block-end", block: 3 },
  start(4, {
    kind: "media",
    part: imageFrom({ kind: "bytes", type: "image/png", base64: "AAAA" }),
  }),
  { kind: "block-end", block: 4 },
  start(5, { kind: "media", part: imageFrom({ kind: "url", url: "https://x.y/z", type: null }) }),
  { kind: "block-end", block: 5 },
  { kind: "choice-end", choice: 0, stop: "length", stopSequence: null },
  { kind: "reply-end" },
];

function imageFrom(source: MediaPart["source"]): MediaPart {
  return { kind: "media", media: "image", source, at: "output" };
}

const cut: StreamPart[] = textParts("Once upon").map((part) =>
  part.kind === "choice-end" ? { ...part, stop: "length" as const } : part,
);

describe("the openai client", () => {
  test("T10 its stream helper gathers text, calls and usage", async () => {
    const stream = openai(everything).responses.stream({ model: "m", input: "hi" });
    const deltas: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta));
    const response = await stream.finalResponse();
    expect(deltas).toEqual(["It is ", "so."]);
    expect(response.output_text).toBe("It is so.");
    expect(response.status).toBe("completed");
    expect(response.usage).toMatchObject({ input_tokens: 11, output_tokens: 22 });
    const calls = response.output.flatMap((item) =>
      item.type === "function_call" ? [item.arguments] : [],
    );
    expect(calls).toEqual(['{"city":"Rome"}', '{"city":"Oslo"}']);
  });

  test("X-U06 its stream helper tells an answer that was cut off", async () => {
    const response = await openai(cut)
      .responses.stream({ model: "m", input: "hi" })
      .finalResponse();
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output_text: "Once upon",
    });
  });

  test("T10 its stream helper takes what comes rarely, and an answer without usage", async () => {
    const response = await openai(oddities)
      .responses.stream({ model: "m", input: "hi" })
      .finalResponse();
    expect(response.output.map(({ type }) => type)).toEqual([
      "reasoning",
      "message",
      "custom_tool_call",
      "image_generation_call",
      "message",
    ]);
    expect(response.usage).toBeNull();
  });

  test("T9 reads a whole response", async () => {
    const response = await openai(everything).responses.create({ model: "m", input: "hi" });
    expect(response.output_text).toBe("It is so.");
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBe(7);
  });

  test("T18 an error after the start is thrown", async () => {
    const error = new GatewayError("bad_response", { message: "it broke" });
    const client = openai(textParts("Once upon").slice(0, 3), error);
    const response = client.responses.stream({ model: "m", input: "hi" }).finalResponse();
    await expect(response).rejects.toThrow("it broke");
  });
});

describe("the AI SDK", () => {
  const city = { type: "object", properties: { city: { type: "string" } } } as const;
  const tools: ToolSet = { weather: { inputSchema: jsonSchema(city) } };

  test("T10 streams reasoning, text, sources, calls and usage", async () => {
    const result = streamText({ model: model(everything), prompt: "hi", tools });
    for await (const part of result.fullStream) {
      if (part.type === "error") throw part.error;
    }
    expect(await result.text).toBe("It is so.");
    expect(await result.reasoningText).toBe("Let me see.");
    expect((await result.toolCalls).map(({ input }) => input)).toEqual([
      { city: "Rome" },
      { city: "Oslo" },
    ]);
    expect(await result.sources).toMatchObject([{ url: "https://example.com", title: "Docs" }]);
    expect(await result.finishReason).toBe("tool-calls");
    expect(await result.usage).toMatchObject({ inputTokens: 11, outputTokens: 22 });
  });

  test("T10 streams what comes rarely, and an answer without usage", async () => {
    const result = streamText({ model: model(oddities), prompt: "hi" });
    for await (const part of result.fullStream) {
      if (part.type === "error") throw part.error;
    }
    expect(await result.text).toContain("As written.");
    expect(await result.sources).toMatchObject([{ title: "Docs" }]);
  });

  test("T9 reads a whole response", async () => {
    const result = await generateText({
      model: model(everything),
      prompt: "hi",
      tools,
    });
    expect(result.text).toBe("It is so.");
    expect(result.toolCalls).toHaveLength(2);
    expect(result.usage).toMatchObject({ inputTokens: 11, outputTokens: 22 });
  });

  test("X-U06 tells an answer that was cut off", async () => {
    const result = streamText({ model: model(cut), prompt: "hi" });
    expect(await result.text).toBe("Once upon");
    expect(await result.finishReason).toBe("length");
  });

  test("T18 shows an error after the start", async () => {
    const error = new GatewayError("bad_response", { message: "it broke" });
    const failing = model(textParts("Once upon").slice(0, 3), error);
    const errors: unknown[] = [];
    const result = streamText({
      model: failing,
      prompt: "hi",
      onError: (event) => void errors.push(event.error),
    });
    await result.consumeStream();
    expect(String(errors[0])).toContain("it broke");
  });
});
