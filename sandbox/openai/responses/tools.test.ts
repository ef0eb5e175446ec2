// Tool calls of Responses over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import type { OpenAI } from "openai";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const parameters = {
  type: "object",
  properties: { city: { type: "string" }, unit: { enum: ["celsius", "kelvin"] } },
  required: ["city"],
};
const weather = { type: "function", name: "get_weather", parameters };
const clock = { type: "function", name: "get_time" };
const query = { type: "custom", name: "run_query", description: "Runs SQL" };
const tools = [weather, clock];
const bothNamed = "Use get_time and get_weather for Paris";

function post(body: object) {
  return fetch(`${sandbox.url}/openai/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer sk-sandbox-a" },
    body: JSON.stringify({ model: "m", input: "How warm is it in Paris?", tools, ...body }),
  });
}

async function respond(body: object = {}) {
  const response = await post(body);
  expect(response.status).toBe(200);
  return (await response.json()) as OpenAI.Responses.Response;
}

async function callsOf(body: object) {
  return (await respond(body)).output.filter((item) => item.type === "function_call");
}

async function namesOf(body: object): Promise<string[]> {
  return (await callsOf(body)).map(({ name }) => name);
}

async function errorOf(body: object) {
  const response = await post(body);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string; param: string } };
  return error;
}

describe("tools", () => {
  test("are called with arguments that fit", async () => {
    const { output, status } = await respond();
    expect(status).toBe("completed");
    expect(output).toEqual([
      {
        type: "function_call",
        id: expect.stringMatching(/^fc_/),
        status: "completed",
        call_id: expect.stringMatching(/^call_/),
        name: "get_weather",
        arguments: '{"city":"Paris"}',
      },
    ]);
  });

  test("are strict where their schema allows it, unless told otherwise", async () => {
    const schema = { ...parameters, required: ["city", "unit"], additionalProperties: false };
    const strictly = { ...weather, parameters: schema };
    const full = '{"city":"Paris","unit":"celsius"}';
    expect(await callsOf({ tools: [strictly] })).toMatchObject([{ arguments: full }]);
    const { tools: shown } = await respond({ tools: [strictly, weather] });
    expect(shown).toMatchObject([{ strict: true }, { strict: false }]);
    const error = await errorOf({ tools: [{ ...weather, strict: true }] });
    expect(error).toMatchObject({
      param: "tools[0].parameters",
      code: "invalid_function_parameters",
    });
  });

  test("are chosen as tool_choice says", async () => {
    const named = { type: "function", name: "get_time" };
    expect(await namesOf({ tool_choice: "auto" })).toEqual(["get_weather"]);
    expect(await namesOf({ tool_choice: "required" })).toEqual(["get_weather"]);
    expect(await namesOf({ tool_choice: "none" })).toEqual([]);
    expect(await namesOf({ tool_choice: named })).toEqual(["get_time"]);
    const allowed = { type: "allowed_tools", mode: "required", tools: [named] };
    expect(await namesOf({ tool_choice: allowed })).toEqual(["get_time"]);
    expect(await namesOf({ tool_choice: { type: "web_search" } })).toEqual([]);
  });

  test("are called together when the prompt names several", async () => {
    const input = bothNamed;
    expect(await namesOf({ input })).toEqual(["get_weather", "get_time"]);
    expect(await namesOf({ input, parallel_tool_calls: false })).toEqual(["get_weather"]);
  });

  test("of the custom kind get free text", async () => {
    const format = { type: "grammar", syntax: "lark", definition: "start: /.+/" };
    for (const tool of [query, { ...query, format }]) {
      const { output } = await respond({
        tools: [tool],
        tool_choice: { ...query, description: undefined },
      });
      expect<unknown>(output).toEqual([
        {
          type: "custom_tool_call",
          id: expect.stringMatching(/^ctc_/),
          status: "completed",
          call_id: expect.stringMatching(/^call_/),
          name: "run_query",
          input: "Paris",
        },
      ]);
    }
  });

  test("of a namespace are called with its name", async () => {
    const crm = { type: "namespace", name: "crm", description: "Customers", tools: [query, clock] };
    const input = "Use run_query and get_time for Paris";
    const { output, tools: shown } = await respond({ input, tools: [crm] });
    expect<unknown>(output).toMatchObject([
      { type: "custom_tool_call", name: "run_query", namespace: "crm", input: "Paris" },
      { type: "function_call", name: "get_time", namespace: "crm" },
    ]);
    expect(shown).toMatchObject([
      { name: "crm", tools: [{ name: "run_query" }, { strict: false }] },
    ]);
    const error = await errorOf({ tools: [{ ...crm, tools: [weather, { type: "mcp" }] }] });
    expect(error.param).toBe("tools[0].tools[1]");
  });

  test("may come up in the input", async () => {
    const added = { type: "additional_tools", role: "developer", tools: [query, weather] };
    const user = { role: "user", content: bothNamed };
    const reply = await respond({ input: [added, user], tools: [clock] });
    expect(reply.output).toMatchObject([{ name: "get_time" }, { name: "get_weather" }]);
    expect(reply.tools).toHaveLength(1);
    const error = await errorOf({ input: [{ ...added, tools: [{ type: "function" }] }, user] });
    expect(error.param).toBe("input[0].tools[0].name");
  });

  test("that the vendor hosts are taken and never called", async () => {
    const { output } = await respond({ tools: [{ type: "web_search", filters: {} }] });
    expect(output).toMatchObject([{ type: "message" }]);
  });

  test("are cut at the limit of tokens", async () => {
    const name = "a".repeat(40);
    const schema = { type: "object", properties: { list: { type: "string", minLength: 200 } } };
    const tool = { type: "function", name, parameters: { ...schema, required: ["list"] } };
    const reply = await respond({ tools: [tool], max_output_tokens: 16 });
    expect(reply).toMatchObject({
      status: "incomplete",
      output: [{ type: "function_call", status: "incomplete" }],
    });
  });
});

describe("a tool's result", () => {
  test("answers its call, alone or with media, and is quoted", async () => {
    const { output } = await respond({ input: bothNamed });
    const results = output.map((item) => ({
      type: "function_call_output",
      call_id: "call_id" in item ? item.call_id : "",
      output: [
        { type: "input_text", text: '{"degrees":21}' },
        { type: "input_image", image_url: "https://example.com/sky.png" },
      ],
    }));
    const input = [{ role: "user", content: bothNamed }, ...output, ...results];
    const [message] = (await respond({ input })).output;
    const text = JSON.stringify(message);
    expect(text).toContain("degrees");
    expect(text).toContain("an image at https://example.com/sky.png");
  });

  test("may answer a custom call", async () => {
    const { output } = await respond({ tools: [query], input: "run_query for Paris" });
    const [call] = output;
    if (call?.type !== "custom_tool_call") throw new Error("no custom call");
    const result = { type: "custom_tool_call_output", call_id: call.call_id, output: "3 rows" };
    const input = [{ role: "user", content: "run_query" }, call, result];
    expect(JSON.stringify((await respond({ input })).output)).toContain("3 rows");
    const wrong = { ...result, type: "function_call_output" };
    const { message } = await errorOf({ input: [...input.slice(0, 2), wrong] });
    expect(message).toStartWith("No tool call found for function call output with call_id");
  });

  test("must answer a call, and every call must be answered", async () => {
    const call = { type: "function_call", call_id: "call_1", name: "get_time", arguments: "{}" };
    const result = { type: "function_call_output", call_id: "call_1", output: "noon" };
    const message = { role: "user", content: "hi" };
    expect((await post({ input: [message, call, result] })).status).toBe(200);
    const orphans = [
      [message, result],
      [message, result, call],
      [message, call, { ...result, call_id: "call_2" }],
    ];
    for (const input of orphans) {
      const error = await errorOf({ input });
      expect(error.message).toMatch(/^No tool call found for function call output with call_id/);
      expect(error.param).toBe("input");
    }
    const open = await errorOf({ input: [message, call] });
    expect(open.message).toBe("No tool output found for function call call_1.");
  });
});

describe("what is refused", () => {
  const rows: [string, object][] = [
    ["tools[0].name", { tools: [{ type: "function", function: { name: "get_time" } }] }],
    ["tools[0].strict", { tools: [{ ...clock, strict: null }] }],
    ["tools[1].cache_control", { tools: [weather, { ...clock, cache_control: {} }] }],
    ["tools[0].name", { tools: [{ ...clock, name: "no blanks" }] }],
    ["tools[0]", { tools: [{ type: "retrieval" }] }],
    ["tools[0].type", { tools: [{ name: "get_time" }] }],
    ["tool_choice.name", { tool_choice: { type: "function", function: { name: "get_time" } } }],
    ["tool_choice", { tool_choice: { type: "function", name: "nothing" } }],
    ["tool_choice", { tool_choice: { type: "custom", name: "get_time" } }],
    ["tool_choice", { tool_choice: "any" }],
    ["tool_choice", { tool_choice: "required", tools: [] }],
  ];

  test.each(rows)("a tool or a choice names %s", async (param, body) => {
    expect((await errorOf(body)).param).toBe(param);
  });
});
