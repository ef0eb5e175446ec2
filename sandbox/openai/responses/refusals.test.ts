// Refusals of the Responses endpoint, in the vendor's words.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

async function errorOf(body: object) {
  const response = await fetch(`${sandbox.url}/openai/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer sk-sandbox-a" },
    body: JSON.stringify({ model: "m", input: "hi", ...body }),
  });
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: Record<string, string | null> };
  expect(error["type"]).toBe("invalid_request_error");
  return error;
}

describe("an unknown parameter", () => {
  test.each([
    ["messages", { messages: [] }],
    ["max_tokens", { max_tokens: 5 }],
    ["stop", { stop: "x" }],
    ["reasoning_effort", { reasoning_effort: "low" }],
    ["stream_options.include_usage", { stream_options: { include_usage: true } }],
    ["reasoning.budget_tokens", { reasoning: { budget_tokens: 5 } }],
    ["input[0].cache_control", { input: [{ role: "user", content: "hi", cache_control: {} }] }],
    ["input[0].name", { input: [{ role: "user", content: "hi", name: "Bob" }] }],
    [
      "input[0].content[0].cache_control",
      { input: [{ role: "user", content: [{ type: "input_text", text: "", cache_control: 1 }] }] },
    ],
    ["text.json_schema", { text: { json_schema: {} } }],
  ])("is refused by name: %s", async (param, body) => {
    expect(await errorOf(body)).toMatchObject({
      message: `Unknown parameter: '${param}'.`,
      param,
      code: "unknown_parameter",
    });
  });
});

describe("a wrong value", () => {
  const user = (content: unknown) => ({ input: [{ role: "user", content }] });
  const item = (fields: object) => ({ input: [fields] });
  const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
  const schema = { type: "object", properties: { a: { type: "string" } } };

  test.each([
    ["model", { model: undefined }],
    ["model", { model: "" }],
    ["input", { input: undefined }],
    ["input", { input: [] }],
    ["input", { input: null }],
    ["input[0]", { input: ["hi"] }],
    ["input[0].type", item({ content: "hi" })],
    ["input[0]", item({ type: "tool_result" })],
    ["input[0]", item({ type: "compaction_trigger" })],
    ["input[0].role", item({ role: "tool", content: "hi" })],
    ["input[0].content", item({ role: "user" })],
    ["input[0].content[0]", user([{ type: "text", text: "hi" }])],
    ["input[0].content[0]", user([{ type: "output_text", text: "hi" }])],
    ["input[0].content[0].image_url", user([{ type: "input_image", image_url: { url: "x" } }])],
    [
      "input[0].content[0]",
      item({ role: "assistant", content: [{ type: "input_text", text: "hi" }] }),
    ],
    ["input[0].id", item({ type: "message", id: "x_1", role: "assistant", content: "hi" })],
    ["input[0].id", item({ ...call, id: "toolu_1" })],
    ["input[0].call_id", item({ ...call, call_id: "c".repeat(65) })],
    ["input[0].name", item({ ...call, name: "a.b" })],
    ["input[0].arguments", item({ ...call, arguments: {} })],
    ["input[0].summary", item({ type: "reasoning", id: "rs_1" })],
    ["max_output_tokens", { max_output_tokens: 15 }],
    ["temperature", { temperature: 3 }],
    ["reasoning.effort", { reasoning: { effort: "huge" } }],
    ["include[0]", { include: ["usage"] }],
    ["metadata.a", { metadata: { a: 1 } }],
    ["metadata", { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [at, ""])) }],
    ["background", { background: true }],
    ["prompt", { prompt: { id: "pmpt_1" } }],
    ["text.format", { text: { format: { type: "yaml" } } }],
    ["text.format.name", { text: { format: { type: "json_schema", json_schema: { schema } } } }],
    ["text.format.schema", { text: { format: { type: "json_schema", name: "a" } } }],
    [
      "text.format.schema",
      { text: { format: { type: "json_schema", name: "a", schema, strict: true } } },
    ],
  ])("is refused by name: %s", async (param, body) => {
    const error = await errorOf(body);
    expect(error["param"]).toBe(param);
    expect(error["message"]).toBeString();
  });

  test("of the bound says what the least is", async () => {
    expect(await errorOf({ max_output_tokens: 5 })).toMatchObject({
      message:
        "Invalid 'max_output_tokens': integer below minimum value. " +
        "Expected a value >= 16, but got 5 instead.",
      code: "integer_below_min_value",
    });
  });
});
