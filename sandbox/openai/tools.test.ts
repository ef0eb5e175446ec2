// Tool calls over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import type { OpenAI } from "openai";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { readEvents } from "../../src/core/sse.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, unit: { enum: ["celsius", "kelvin"] } },
      required: ["city"],
    },
  },
};
const clock = { type: "function", function: { name: "get_time" } };
const tools = [weather, clock];
const user = { role: "user", content: "How warm is it in Paris?" };
const bothNamed = { role: "user", content: "Use get_time and get_weather for Paris" };

function post(body: object) {
  return fetch(`${sandbox.url}/openai/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-sandbox-a" },
    body: JSON.stringify({ model: "m", messages: [user], tools, ...body }),
  });
}

async function choiceOf(body: object) {
  const response = await post(body);
  expect(response.status).toBe(200);
  const { choices } = (await response.json()) as OpenAI.ChatCompletion;
  const [choice] = choices;
  if (!choice) throw new Error("no choice");
  return choice;
}

async function callsOf(body: object) {
  const calls = (await choiceOf(body)).message.tool_calls ?? [];
  return calls.filter((call) => call.type === "function");
}

async function namesOf(body: object): Promise<string[]> {
  return (await callsOf(body)).map((call) => call.function.name);
}

async function argumentsOf(body: object): Promise<string[]> {
  return (await callsOf(body)).map((call) => call.function.arguments);
}

describe("tools", () => {
  test("are called with arguments that fit, instead of an answer in words", async () => {
    const { message, finish_reason: finishReason } = await choiceOf({});
    expect(finishReason).toBe("tool_calls");
    expect(message.content).toBeNull();
    expect(message.tool_calls).toEqual([
      {
        id: expect.stringMatching(/^call_/),
        type: "function",
        function: { name: "get_weather", arguments: '{"city":"Paris"}' },
      },
    ]);
  });

  test("get every property when strict", async () => {
    const strict = { ...weather, function: { ...weather.function, strict: true } };
    expect(await argumentsOf({ tools: [strict] })).toEqual(['{"city":"Paris","unit":"celsius"}']);
  });

  test("without parameters get an empty object", async () => {
    expect(await argumentsOf({ tools: [clock] })).toEqual(["{}"]);
  });

  test("are chosen as tool_choice says", async () => {
    const named = { type: "function", function: { name: "get_time" } };
    const allowed = { mode: "required", tools: [named] };
    expect(await namesOf({ tool_choice: "auto" })).toEqual(["get_weather"]);
    expect(await namesOf({ tool_choice: "required" })).toEqual(["get_weather"]);
    expect(await namesOf({ tool_choice: named })).toEqual(["get_time"]);
    expect(
      await namesOf({ tool_choice: { type: "allowed_tools", allowed_tools: allowed } }),
    ).toEqual(["get_time"]);
    const { message } = await choiceOf({ tool_choice: "none" });
    expect(message).not.toHaveProperty("tool_calls");
    expect(message.content).toContain("Paris");
  });

  test("are called together when the prompt names several", async () => {
    const messages = [bothNamed];
    expect(await namesOf({ messages })).toEqual(["get_weather", "get_time"]);
    expect(await namesOf({ messages, parallel_tool_calls: false })).toEqual(["get_weather"]);
  });

  test("are not called again once they have answered", async () => {
    const [call] = await callsOf({});
    const asked = { role: "assistant", content: null, tool_calls: [call] };
    const result = { role: "tool", tool_call_id: call?.id, content: '{"degrees":21}' };
    const { message, finish_reason: finishReason } = await choiceOf({
      messages: [user, asked, result],
    });
    expect(finishReason).toBe("stop");
    expect(message.content).toContain('{"degrees":21}');
  });

  test("that were not offered cannot be chosen", async () => {
    const unknown = { type: "function", function: { name: "nothing" } };
    for (const body of [{ tool_choice: unknown }, { tools: [], tool_choice: "required" }]) {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param: "tool_choice" } });
    }
  });

  test("are streamed with a stable index, and with id and name only once", async () => {
    const response = await post({ messages: [bothNamed], stream: true });
    const chunks = readEvents(await response.text())
      .slice(0, -1)
      .map(({ data }) => JSON.parse(data).choices[0]);
    expect(chunks[0].delta).toEqual({ role: "assistant", content: null, refusal: null });
    expect(chunks.at(-1)).toMatchObject({ delta: {}, finish_reason: "tool_calls" });
    const deltas = chunks.slice(1, -1).map(({ delta }) => delta.tool_calls[0]);
    for (const index of [0, 1]) {
      const [first, ...rest] = deltas.filter((delta) => delta.index === index);
      expect(first.id).toStartWith("call_");
      expect(first).toMatchObject({ type: "function", function: { arguments: "" } });
      expect(rest.length).toBeGreaterThan(0);
      for (const delta of rest) {
        expect(Object.keys(delta)).toEqual(["index", "function"]);
        expect(Object.keys(delta.function)).toEqual(["arguments"]);
      }
      const text = rest.map((delta) => delta.function.arguments).join("");
      expect(JSON.parse(text)).toEqual(index === 0 ? { city: "Paris" } : {});
    }
  });

  test("of the custom kind get free text, whole and in pieces", async () => {
    const custom = { type: "custom", custom: { name: "run_query" } };
    const message = { role: "user", content: "Please run_query for the old bridges in Venice" };
    const body = { tools: [custom], messages: [message], tool_choice: custom };
    const calls = (await choiceOf(body)).message.tool_calls ?? [];
    expect(calls).toEqual([
      {
        id: expect.stringMatching(/^call_/),
        type: "custom",
        custom: { name: "run_query", input: "Venice" },
      },
    ]);
    const response = await post({ ...body, stream: true });
    const deltas = readEvents(await response.text())
      .slice(1, -2)
      .map(({ data }) => JSON.parse(data).choices[0].delta.tool_calls[0]);
    expect(deltas[0]).toMatchObject({
      index: 0,
      type: "custom",
      custom: { name: "run_query", input: "" },
    });
    expect(deltas.map(({ custom: piece }) => piece.input).join("")).toBe("Venice");
  });
});
