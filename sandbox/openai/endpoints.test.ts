// Legacy completions, the model list and refusals over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import type { OpenAI } from "openai";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { readEvents } from "../../src/core/sse.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const authorization = "Bearer sk-sandbox-a";

function post(path: string, body: string, headers: Record<string, string> = { authorization }) {
  return fetch(`${sandbox.url}/openai${path}`, { method: "POST", headers, body });
}

async function complete(body: object) {
  const text = JSON.stringify({ model: "m", prompt: "Once upon a mountain", ...body });
  const response = await post("/v1/completions", text);
  expect(response.status).toBe(200);
  return response;
}

async function completion(body: object) {
  return (await (await complete(body)).json()) as OpenAI.Completion;
}

describe("legacy completions", () => {
  test("give plain text, sixteen tokens of it by default", async () => {
    const reply = await completion({});
    expect(reply).toMatchObject({ object: "text_completion", model: "m" });
    expect(reply.id).toStartWith("cmpl-");
    expect(reply.choices).toEqual([
      {
        text: expect.stringContaining("mountain"),
        index: 0,
        logprobs: null,
        finish_reason: "length",
      },
    ]);
    expect(reply.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 16 });
  });

  test("take several prompts and several choices for each", async () => {
    const reply = await completion({ prompt: ["rivers", "lakes"], n: 2 });
    const texts = reply.choices.map(({ text }) => text);
    expect(texts.map((text) => text.includes("rivers"))).toEqual([true, true, false, false]);
    expect(texts[2]).toContain("lakes");
    expect(reply.choices[3]?.index).toBe(3);
  });

  test("take token ids", async () => {
    expect((await completion({ prompt: [1, 2, 3] })).usage?.prompt_tokens).toBe(3);
    expect((await completion({ prompt: [[1, 2], [3]] })).choices).toHaveLength(2);
  });

  test("are streamed in pieces of the same object", async () => {
    const body = { max_tokens: 500, stream: true, stream_options: { include_usage: true } };
    const events = readEvents(await (await complete(body)).text());
    expect(events.pop()?.data).toBe("[DONE]");
    const chunks = events.map(({ data }) => JSON.parse(data));
    expect(chunks.pop()).toMatchObject({ choices: [], usage: { prompt_tokens: 5 } });
    expect(chunks.at(-1).choices[0]).toMatchObject({ text: "", finish_reason: "stop" });
    const whole = await completion({ max_tokens: 500 });
    expect(chunks.map((chunk) => chunk.choices[0].text).join("")).toBe(
      whole.choices[0]?.text ?? "",
    );
    expect(chunks[0].object).toBe("text_completion");
  });

  test("obey stop sequences and directives", async () => {
    const stopped = await completion({ stop: ["about"] });
    expect(stopped.choices[0]).toMatchObject({ text: "You asked ", finish_reason: "stop" });
    const text = JSON.stringify({ model: "m", prompt: ["a", "b sandbox:status=418"] });
    expect((await post("/v1/completions", text)).status).toBe(418);
  });
});

describe("models", () => {
  const get = (path: string) =>
    fetch(`${sandbox.url}/openai${path}`, { headers: { authorization } });

  test("are listed", async () => {
    const list = await (await get("/v1/models")).json();
    expect(list).toMatchObject({
      object: "list",
      data: [
        { id: "sandbox-large", object: "model", created: expect.any(Number) },
        { id: "sandbox-small" },
      ],
    });
  });

  test("are found by id", async () => {
    expect(await (await get("/v1/models/sandbox-small")).json()).toMatchObject({
      id: "sandbox-small",
      owned_by: "sandbox",
    });
    const missing = await get("/v1/models/nothing");
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { code: "model_not_found" } });
  });
});

describe("refusals", () => {
  const messages = [{ role: "user", content: "hi" }];

  async function refusalOf(body: string, headers?: Record<string, string>) {
    const response = await post("/v1/chat/completions", body, headers);
    const { error } = (await response.json()) as { error: { message: string } };
    return { status: response.status, error };
  }

  test("name the parameter that is missing or wrong", async () => {
    const bodies = {
      model: { messages },
      messages: { model: "m" },
      n: { model: "m", messages, n: 0 },
      max_tokens: { model: "m", messages, max_tokens: "many" },
      "messages[0].role": { model: "m", messages: [{ role: "owner", content: "hi" }] },
    };
    for (const [param, body] of Object.entries(bodies)) {
      const { status, error } = await refusalOf(JSON.stringify(body));
      expect(status).toBe(400);
      expect(error).toMatchObject({ type: "invalid_request_error", param });
      expect(error.message).toContain(`'${param}'`);
    }
  });

  test("meet a body that is no JSON object", async () => {
    for (const body of ["{", "[]", "7", ""]) {
      const { status, error } = await refusalOf(body);
      expect(status).toBe(400);
      expect(error).toMatchObject({ type: "invalid_request_error", param: null, code: null });
    }
  });

  test("meet a missing or revoked key", async () => {
    const body = JSON.stringify({ model: "m", messages });
    const headers = [
      {},
      { authorization: "Basic abc" },
      { authorization: "Bearer sk-sandbox-revoked" },
    ];
    for (const wrong of headers) {
      const { status, error } = await refusalOf(body, wrong);
      expect(status).toBe(401);
      expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_api_key" });
    }
  });

  test("meet an unknown route or method", async () => {
    const unknown = await post("/v1/nothing", "{}");
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { type: "invalid_request_error" } });
    expect((await fetch(`${sandbox.url}/openai/v1/chat/completions`)).status).toBe(405);
  });

  test("carry a request id like every answer", async () => {
    const response = await post("/v1/nothing", "{}");
    expect(response.headers.get("x-request-id")).toStartWith("req_");
  });
});
