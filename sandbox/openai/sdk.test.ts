// The official client against the sandbox.
import { afterAll, describe, expect, test } from "bun:test";
import { OpenAI } from "openai";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 1 });
afterAll(() => sandbox.close());

const client = new OpenAI({
  apiKey: "sk-sandbox-a",
  baseURL: `${sandbox.url}/openai/v1`,
  maxRetries: 0,
});
const model = "sandbox-large";

function ask(content: string) {
  return { model, messages: [{ role: "user" as const, content }] };
}

const tool = {
  type: "function" as const,
  function: {
    name: "find_city",
    description: "Finds a city",
    parameters: {
      type: "object" as const,
      properties: { city: { type: "string" as const } },
      required: ["city"],
    },
  },
};

describe("the openai client", () => {
  test("gets an answer", async () => {
    const reply = await client.chat.completions.create(ask("Where do lighthouses stand?"));
    expect(reply.choices[0]?.message.content).toContain("lighthouses");
    expect(reply.usage?.total_tokens).toBeGreaterThan(0);
    expect(reply._request_id).toStartWith("req_");
  });

  test("reads a stream to its end", async () => {
    const stream = client.chat.completions.stream({
      ...ask("Where do lighthouses stand?"),
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    stream.on("content", (piece) => pieces.push(piece));
    const reply = await stream.finalChatCompletion();
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join("")).toBe(reply.choices[0]?.message.content ?? "");
    expect(reply.usage?.completion_tokens).toBeGreaterThan(0);
  });

  test("calls a tool, whole and streamed", async () => {
    const request = { ...ask("How far is it to Lisbon?"), tools: [tool] };
    const expected = [{ function: { name: "find_city", arguments: '{"city":"Lisbon"}' } }];
    const whole = await client.chat.completions.create(request);
    expect(whole.choices[0]?.message.tool_calls).toMatchObject(expected);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(expected);
  });

  test("gives a tool's result back and gets words", async () => {
    const runner = client.chat.completions.runTools({
      ...ask("How far is it to Lisbon?"),
      tools: [
        {
          type: "function",
          function: {
            ...tool.function,
            function: ({ city }: { city: string }) => `${city} is 300 km away`,
            parse: (text: string): { city: string } => JSON.parse(text),
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain("Lisbon is 300 km away");
  });

  test("completes a legacy prompt and lists the models", async () => {
    const reply = await client.completions.create({ model, prompt: "Once upon a mountain" });
    expect(reply.choices[0]?.text).toContain("mountain");
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toContain(model);
  });

  test("sees faults as its own errors", async () => {
    const refused = async () => client.chat.completions.create(ask("hello sandbox:status=429"));
    await expect(refused()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    const streamed = (prompt: string) =>
      client.chat.completions.stream(ask(prompt)).finalChatCompletion();
    await expect(streamed("hello sandbox:error-after=2")).rejects.toThrow(
      "The server had an error",
    );
    await expect(streamed("hello sandbox:cut")).rejects.toThrow();
  });
});
