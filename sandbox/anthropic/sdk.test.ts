// The official client against the sandbox. It speaks the newest version, with a bearer key.
import { afterAll, describe, expect, test } from "bun:test";
import { Anthropic } from "@anthropic-ai/sdk";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 1 });
afterAll(() => sandbox.close());

const client = new Anthropic({
  apiKey: "sk-sandbox-a",
  baseURL: `${sandbox.url}/anthropic`,
  maxRetries: 0,
});
const model = "sandbox-large";
const tool: Anthropic.Tool = {
  name: "find_city",
  description: "Finds a city",
  input_schema: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  },
};

function ask(content: string): Anthropic.MessageCreateParamsNonStreaming {
  return { model, max_tokens: 2000, messages: [{ role: "user", content }] };
}

describe("the anthropic client", () => {
  test("gets an answer", async () => {
    const reply = await client.messages.create(ask("Where do lighthouses stand?"));
    expect(reply.content[0]).toMatchObject({
      type: "text",
      text: expect.stringContaining("lighthouses"),
    });
    expect(reply.usage.input_tokens).toBeGreaterThan(0);
    expect(reply._request_id).toStartWith("req_");
  });

  test("reads a stream of thinking and calls to its end, and goes on from there", async () => {
    const params = {
      ...ask("Where is Paris?"),
      thinking: { type: "adaptive" as const },
      tools: [tool],
    };
    const stream = client.messages.stream(params);
    const thoughts: string[] = [];
    stream.on("thinking", (piece) => thoughts.push(piece));
    const reply = await stream.finalMessage();
    expect(thoughts.length).toBeGreaterThan(10);
    expect(reply.stop_reason).toBe("tool_use");
    const [thought, call] = reply.content;
    expect(thought).toMatchObject({ type: "thinking", thinking: thoughts.join("") });
    if (call?.type !== "tool_use") throw new Error("no call");
    expect(call).toMatchObject({ name: "find_city", input: { city: expect.any(String) } });
    expect(reply.usage.output_tokens).toBeGreaterThan(1);

    const next = await client.messages.create({
      ...params,
      messages: [
        ...params.messages,
        { role: "assistant", content: reply.content },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: call.id, content: "in France" }],
        },
      ],
    });
    expect(next.content.at(-1)).toMatchObject({ text: expect.stringContaining("in France") });
  });

  test("counts tokens and lists models", async () => {
    const { messages } = ask("Where is Paris?");
    const counted = await client.messages.countTokens({ model, messages });
    expect(counted.input_tokens).toBeGreaterThan(0);
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toContain(model);
  });

  test("knows the vendor's errors, also inside a stream", async () => {
    const failure = (promise: PromiseLike<unknown>) =>
      promise.then(null, (error: unknown) => error);
    const refused = await failure(client.messages.create(ask("sandbox:status=429")));
    expect(refused).toBeInstanceOf(Anthropic.RateLimitError);
    const stream = client.messages.stream(ask("Where? sandbox:error-after=4"));
    expect(await failure(stream.finalMessage())).toMatchObject({ type: "overloaded_error" });
  });
});
