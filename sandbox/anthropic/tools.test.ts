// Tool calls over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const weather = {
  name: "get_weather",
  input_schema: {
    type: "object",
    properties: { city: { type: "string" }, unit: { enum: ["celsius", "kelvin"] } },
    required: ["city"],
  },
};
const clock = { name: "get_time", input_schema: { type: "object" } };
const tools = [weather, clock];
const user = { role: "user", content: "How warm is it in Paris?" };
const bothNamed = { role: "user", content: "Use get_time and get_weather for Paris" };

async function answerTo(body: object): Promise<Anthropic.Message> {
  const response = await fetch(`${sandbox.url}/anthropic/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-sandbox-a", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "m", max_tokens: 500, messages: [user], tools, ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Anthropic.Message;
}

async function callsOf(body: object): Promise<Anthropic.ToolUseBlock[]> {
  const { content } = await answerTo(body);
  return content.filter((block) => block.type === "tool_use");
}

async function namesOf(body: object): Promise<string[]> {
  return (await callsOf(body)).map(({ name }) => name);
}

/** The conversation after the tools have been called. */
function turnsAfter({ content }: Anthropic.Message, result: object, ...more: object[]) {
  const results = content
    .filter((block) => block.type === "tool_use")
    .map(({ id }) => ({ type: "tool_result", tool_use_id: id, ...result }));
  return [
    bothNamed,
    { role: "assistant", content },
    { role: "user", content: [...results, ...more] },
  ];
}

describe("tools", () => {
  test("are called with input that fits, instead of an answer in words", async () => {
    const answer = await answerTo({});
    expect(answer.stop_reason).toBe("tool_use");
    expect(answer.content).toHaveLength(1);
    expect(answer.content[0]).toMatchObject({
      type: "tool_use",
      id: expect.stringMatching(/^toolu_[\w-]+$/),
      name: "get_weather",
      input: { city: expect.any(String) },
    });
  });

  test("are all called when the prompt names them, unless only one may be", async () => {
    const messages = [bothNamed];
    const calls = await callsOf({ messages });
    expect(calls.map(({ name }) => name)).toEqual(["get_weather", "get_time"]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    const one = { type: "auto", disable_parallel_tool_use: true };
    expect(await namesOf({ messages, tool_choice: one })).toEqual(["get_weather"]);
  });

  test("are called as the choice says", async () => {
    expect(await namesOf({ tool_choice: { type: "none" } })).toEqual([]);
    expect(await namesOf({ tool_choice: { type: "any" } })).toEqual(["get_weather"]);
    const named = { type: "tool", name: "get_time" };
    expect(await namesOf({ tool_choice: named })).toEqual(["get_time"]);
  });

  test("of the vendor's own are taken and never used", async () => {
    const search = { type: "web_search_20250305", name: "web_search", max_uses: 2 };
    expect(await namesOf({ tools: [search] })).toEqual([]);
    expect(await namesOf({ tools: [search, clock] })).toEqual(["get_time"]);
  });

  test("that are strict get every property", async () => {
    const strict = {
      name: "find",
      strict: true,
      input_schema: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "integer" } },
        additionalProperties: false,
      },
    };
    const [call] = await callsOf({ tools: [strict] });
    expect(Object.keys(call?.input ?? {})).toEqual(["a", "b"]);
  });

  test("whose input does not fit the limit end with it", async () => {
    const answer = await answerTo({ max_tokens: 4 });
    expect(answer.stop_reason).toBe("max_tokens");
    expect(answer.content[0]).toMatchObject({ type: "tool_use", input: {} });
  });
});

describe("results of tools", () => {
  test("are told in the answer that follows", async () => {
    const called = await answerTo({ messages: [bothNamed] });
    const messages = turnsAfter(called, { content: "21 degrees" });
    const { content, stop_reason: reason } = await answerTo({ messages });
    expect(reason).toBe("end_turn");
    const [block] = content;
    const text = block?.type === "text" ? block.text : "";
    expect(text.match(/The tool returned: 21 degrees/g)).toHaveLength(2);
  });

  test.each([
    [{ content: [{ type: "text", text: "blue" }] }, "The tool returned: blue\n"],
    [{ content: "no such city", is_error: true }, "The tool returned: the error no such city\n"],
    [{}, "The tool returned: \n"],
    [
      { content: [{ type: "image", source: { type: "url", url: "https://a.test" } }] },
      "The tool returned: an image at https://a.test\n",
    ],
  ])("may have several forms: %p", async (result, words) => {
    const called = await answerTo({});
    const { content } = await answerTo({ messages: turnsAfter(called, result) });
    expect(content[0]).toMatchObject({ type: "text", text: expect.stringContaining(words) });
  });

  test("with a word of the user behind them lead to another call", async () => {
    const called = await answerTo({ messages: [bothNamed] });
    const more = { type: "text", text: "Once more get_time" };
    expect(await namesOf({ messages: turnsAfter(called, {}, more) })).toEqual(["get_time"]);
  });
});
