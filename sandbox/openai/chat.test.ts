// Chat completions over real HTTP, as bytes on the wire.
import { afterAll, describe, expect, test } from "bun:test";
import type { OpenAI } from "openai";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { readEvents } from "../../src/core/sse.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const user = (content: unknown) => ({ role: "user", content });
const pngHeader = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0";
const question = [user("How do the old bridges of Venice stand?")];

function post(body: object) {
  return fetch(`${sandbox.url}/openai/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-sandbox-a" },
    body: JSON.stringify({ model: "sandbox-large", messages: question, ...body }),
  });
}

async function chat(body: object = {}) {
  const response = await post(body);
  expect(response.status).toBe(200);
  return (await response.json()) as OpenAI.ChatCompletion;
}

async function contentsOf(body: object): Promise<string[]> {
  return (await chat(body)).choices.map(({ message }) => message.content ?? "");
}

async function contentOf(body: object): Promise<string> {
  return (await contentsOf(body)).join("");
}

async function usageOf(body: object) {
  const { usage } = await chat(body);
  if (!usage) throw new Error("no usage");
  return usage;
}

async function finishOf(body: object) {
  return (await chat(body)).choices.map((choice) => choice.finish_reason).join();
}

async function streamed(body: object = {}) {
  const response = await post({ stream: true, ...body });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const events = readEvents(await response.text());
  expect(events.at(-1)?.data).toBe("[DONE]");
  return events.slice(0, -1).map(({ data }) => JSON.parse(data) as OpenAI.ChatCompletionChunk);
}

function joinContent(chunks: OpenAI.ChatCompletionChunk[], index = 0): string {
  const own = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.index === index);
  return own.map(({ delta }) => delta.content ?? "").join("");
}

describe("an answer", () => {
  test("has the shape that OpenAI gives it", async () => {
    const reply = await chat();
    expect(reply).toMatchObject({ object: "chat.completion", model: "sandbox-large" });
    expect(reply.id).toStartWith("chatcmpl-");
    expect(reply.created).toBeInteger();
    expect(reply.choices).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: expect.stringContaining("bridges"),
          refusal: null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ]);
  });

  test("is the same each time and another for another prompt", async () => {
    const content = await contentOf({});
    expect(await contentOf({})).toBe(content);
    expect(await contentOf({ messages: [user("Tell me about comets")] })).not.toBe(content);
  });

  test("counts about four characters a token", async () => {
    const messages = [user("x".repeat(400))];
    const completionTokens = Math.ceil((await contentOf({ messages })).length / 4);
    expect(await usageOf({ messages })).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: completionTokens,
      total_tokens: 100 + completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });

  test("goes without usage when told so", async () => {
    const messages = [user("hello sandbox:no-usage")];
    expect(await chat({ messages })).not.toHaveProperty("usage");
    const chunks = await streamed({ messages, stream_options: { include_usage: true } });
    expect(chunks.some((chunk) => "usage" in chunk)).toBeFalse();
  });

  test("stops at either limit of tokens", async () => {
    for (const limit of ["max_tokens", "max_completion_tokens"]) {
      expect(await finishOf({ [limit]: 5 })).toBe("length");
      expect(await contentOf({ [limit]: 5 })).toHaveLength(20);
      expect((await usageOf({ [limit]: 5 })).completion_tokens).toBe(5);
    }
  });

  test("stops before a stop sequence", async () => {
    expect(await finishOf({ stop: "bridges" })).toBe("stop");
    expect(await contentOf({ stop: "bridges" })).toBe("You asked about ");
    expect(await contentOf({ stop: ["bridges", "asked"] })).toBe("You ");
  });

  test("comes several times with indexes of its own", async () => {
    const { choices, usage } = await chat({ n: 3, max_tokens: 10 });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(usage?.completion_tokens).toBe(30);
    const [first, second] = await contentsOf({ n: 2 });
    expect(first).not.toBe(second);
  });

  test("reports reasoning for an effort other than none", async () => {
    const reasoningTokens = async (body: object) =>
      (await usageOf(body)).completion_tokens_details?.reasoning_tokens;
    expect(await reasoningTokens({ reasoning_effort: "low" })).toBeGreaterThan(0);
    expect(await reasoningTokens({ reasoning_effort: "none" })).toBe(0);
    const usage = await usageOf({ reasoning_effort: "high", max_completion_tokens: 20 });
    expect(usage.completion_tokens).toBeLessThanOrEqual(20);
  });

  test("shows what it thought, whole and streamed, as resellers do", async () => {
    const thoughts = async (body: object) =>
      (await chat(body)).choices.map(({ message }) => Reflect.get(message, "reasoning_content"));
    const [first, second] = await thoughts({ reasoning_effort: "medium", n: 2 });
    expect(first).toContain("bridges");
    expect(second).not.toBe(first);
    for (const effort of [undefined, null, "none"]) {
      expect(await thoughts({ reasoning_effort: effort })).toEqual([undefined]);
    }
    const deltas = (await streamed({ reasoning_effort: "medium" })).map(
      ({ choices }) => choices[0]?.delta ?? {},
    );
    expect(deltas[0]).toHaveProperty("role");
    const pieces = deltas.map((delta) => Reflect.get(delta, "reasoning_content"));
    expect(pieces.join("")).toBe(first);
    const thoughtLast = pieces.findLastIndex((piece) => piece !== undefined);
    const saidFirst = deltas.findIndex(({ content }) => Boolean(content));
    expect(saidFirst).toBe(thoughtLast + 1);
  });

  test("is filtered when told so", async () => {
    const messages = [user("hello sandbox:filter")];
    expect(await finishOf({ messages })).toBe("content_filter");
    const chunks = await streamed({ messages });
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("content_filter");
  });
});

describe("a prompt", () => {
  test("may have any role and parts", async () => {
    const content = await contentOf({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "developer", content: [{ type: "text", text: "Be kind." }] },
        { role: "assistant", content: null },
        user([
          { type: "text", text: "Compare volcanoes" },
          { type: "text", text: "and glaciers" },
        ]),
      ],
    });
    expect(content).toContain("volcanoes and glaciers");
  });

  test("may carry images and other media, which the answer describes", async () => {
    const png = Buffer.from(pngHeader, "latin1").toString("base64");
    const content = await contentOf({
      messages: [
        user([
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
          { type: "image_url", image_url: { url: "data:image/png,nothing" } },
          { type: "image_url", image_url: { url: "https://example.com/cat.jpg" } },
          { type: "input_audio", input_audio: { data: "SUQzBAAA", format: "mp3" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:x;base64,JVBERi0xLjc=" } },
          { type: "file", file: { file_id: "file-1" } },
        ]),
      ],
    });
    expect(content).toContain("an image of type image/png, 3 by 2 pixels.");
    expect(content).toContain("a file of no known type, 7 bytes.");
    expect(content).toContain("an image at https://example.com/cat.jpg.");
    expect(content).toContain("audio of type audio/mpeg, 6 bytes.");
    expect(content).toContain("a file named a.pdf: a document of type application/pdf, 8 bytes.");
    expect(content).toContain("a file named nothing.");
  });

  test("takes its directives from the last user message only", async () => {
    const messages = [user("sandbox:status=500"), { role: "assistant", content: "no" }, user("hi")];
    expect((await post({ messages })).status).toBe(200);
  });
});

describe("structured output", () => {
  test("is an object when that is all that was asked", async () => {
    const content = await contentOf({ response_format: { type: "json_object" } });
    expect(JSON.parse(content)).toEqual({ answer: expect.stringContaining("bridges") });
  });

  test("fits the schema", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, age: { type: "integer", minimum: 100 } },
      required: ["city", "age"],
      additionalProperties: false,
    };
    const format = { type: "json_schema", json_schema: { name: "bridge", schema, strict: true } };
    const content = await contentOf({ response_format: format });
    expect(JSON.parse(content)).toEqual({ city: "Venice", age: 100 });
    const chunks = await streamed({ response_format: format });
    expect(joinContent(chunks)).toBe(content);
  });
});

describe("a stream", () => {
  test("has a role, pieces of the content and a reason for its end", async () => {
    const chunks = await streamed();
    const delta = { role: "assistant", content: "", refusal: null };
    const empty = { index: 0, logprobs: null, finish_reason: null };
    expect(chunks[0]).toMatchObject({ object: "chat.completion.chunk", model: "sandbox-large" });
    expect(chunks[0]?.choices).toMatchObject([{ ...empty, delta }]);
    expect(chunks[1]?.choices).toMatchObject([{ ...empty, delta: { content: "You" } }]);
    expect(chunks.at(-1)?.choices).toMatchObject([{ ...empty, delta: {}, finish_reason: "stop" }]);
    expect(chunks.at(-1)?.choices[0]?.delta).not.toHaveProperty("content");
    expect(joinContent(chunks)).toBe(await contentOf({}));
    expect(chunks.length).toBeGreaterThan(30);
    expect(new Set(chunks.map(({ id, created }) => `${id} ${created}`)).size).toBe(1);
    expect(chunks.some((chunk) => "usage" in chunk)).toBeFalse();
  });

  test("ends with the usage when that was asked", async () => {
    const chunks = await streamed({ stream_options: { include_usage: true } });
    const last = chunks.pop();
    expect(last?.choices).toEqual([]);
    expect(last?.usage).toEqual(await usageOf({}));
    expect(chunks.every(({ usage }) => usage === null)).toBeTrue();
  });

  test("gives each choice a role and an end of its own", async () => {
    const chunks = await streamed({ n: 2 });
    const contents = await contentsOf({ n: 2 });
    expect([joinContent(chunks, 0), joinContent(chunks, 1)]).toEqual(contents);
    for (const index of [0, 1]) {
      const own = chunks
        .flatMap((chunk) => chunk.choices)
        .filter((choice) => choice.index === index);
      expect(own[0]?.delta.role).toBe("assistant");
      expect(own.at(-1)?.finish_reason).toBe("stop");
    }
    expect(chunks.slice(0, 4).map((chunk) => chunk.choices[0]?.index)).toEqual([0, 1, 0, 1]);
  });
});
