// A client's chat request reaches the upstream as it is, and the upstream's answer reaches the
// client as it is.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";

const vendor = new Vendor((_request, reply) => reply.json(completion("Hello.")));
let gateway: Gateway;

beforeAll(async () => {
  const mapped = { name: "mapped", models: ["public-name"] };
  const model_mapping = { "public-name": "upstream-name" };
  gateway = await startGateway({
    config: JSON.stringify({
      channels: [vendor.channel(), vendor.channel({ ...mapped, model_mapping })],
      prices: [{ model: "public-name", input_micros_per_million: 1, output_micros_per_million: 1 }],
    }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const messages = [{ role: "user", content: "Hello?" }];

/** Sends a body and returns the one that the upstream got for it. */
async function forward(body: object): Promise<Record<string, unknown>> {
  const before = vendor.requests.length;
  const response = await gateway.post("/v1/chat/completions", body);
  expect(await response.json()).toEqual(completion("Hello."));
  expect(response.status).toBe(200);
  expect(vendor.requests).toHaveLength(before + 1);
  return vendor.requests.at(-1)?.body ?? {};
}

async function expectKept(fields: object): Promise<void> {
  const body = { model: "chatA", messages, ...fields };
  expect(await forward(body)).toEqual(body);
}

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather at a place.",
    strict: true,
    parameters: { type: "object", properties: { place: { type: ["string", "null"] } } },
  },
};

describe("the fields of a chat request", () => {
  test("T1 a request of the two required fields gets a whole chat completion", async () => {
    const response = await gateway.post("/v1/chat/completions", { model: "chatA", messages });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_790_000_000,
      model: "vendor-model",
      choices: [
        { index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
    });
    expect(vendor.requests.at(-1)).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer sk-vendor-secret-0000" },
      body: { model: "chatA", messages },
    });
  });

  test.each([
    ["stream", { stream: false }],
    ["stream_options", { stream_options: { include_usage: true } }],
    ["response_format", { response_format: { type: "json_object" } }],
    ["tools", { tools: [weather] }],
    ["tool_choice", { tools: [weather], tool_choice: "required" }],
    ["temperature", { temperature: 0.7 }],
    ["top_p", { top_p: 0.95 }],
    ["max_tokens", { max_tokens: 321 }],
    ["max_completion_tokens", { max_completion_tokens: 654 }],
    ["seed", { seed: 42 }],
    ["reasoning_effort", { reasoning_effort: "high" }],
  ])("T1 the field %s is taken and reaches the upstream unchanged", async (_name, fields) => {
    await expectKept(fields);
  });

  test("T1 all fields at once reach the upstream unchanged", async () => {
    await expectKept({
      stream: false,
      stream_options: { include_usage: false },
      response_format: { type: "text" },
      tools: [weather],
      tool_choice: "auto",
      temperature: 1,
      top_p: 1,
      max_tokens: 10,
      max_completion_tokens: 20,
      seed: -1,
      reasoning_effort: "low",
      n: 1,
      stop: ["\n", "END"],
      presence_penalty: -2,
      frequency_penalty: 2,
      logit_bias: { "50256": -100 },
      logprobs: true,
      top_logprobs: 5,
      parallel_tool_calls: false,
      user: "someone",
      store: false,
      metadata: { run: "1" },
      verbosity: "low",
      service_tier: "flex",
      modalities: ["text"],
      prediction: { type: "content", content: "Hello" },
      prompt_cache_key: "cache",
    });
  });

  test("T1 unknown fields are no error and reach the upstream at every depth", async () => {
    await expectKept({
      x_vendor: { deep: [1, null, false, { "": "", ключ: "значение" }] },
      top_k: 40,
      enable_thinking: false,
      messages: [{ role: "user", content: "Hi", x_cache: { type: "ephemeral" }, weight: 0 }],
      tools: [{ ...weather, x_tool: null }],
    });
  });

  test("T1 explicit false, null, 0 and empty values are kept, not taken for absent", async () => {
    await expectKept({
      stream: null,
      stream_options: null,
      response_format: null,
      tools: [],
      tool_choice: null,
      parallel_tool_calls: false,
      temperature: 0,
      top_p: 0,
      max_tokens: null,
      max_completion_tokens: null,
      seed: 0,
      n: null,
      stop: null,
      user: "",
      logprobs: false,
      reasoning_effort: null,
      metadata: {},
      x_unknown: null,
    });
  });

  test("T1 the body goes to the upstream as plain JSON of the length it declares", async () => {
    await forward({ model: "chatA", messages: [{ role: "user", content: "Grüße 🌍 \u2028" }] });
    const { headers = {}, body } = vendor.requests.at(-1) ?? {};
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["transfer-encoding"]).toBeUndefined();
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(JSON.stringify(body))));
    expect(body?.["messages"]).toEqual([{ role: "user", content: "Grüße 🌍 \u2028" }]);
  });

  test("T1 only the model's name is changed where a channel knows it by another", async () => {
    const body = { model: "public-name", messages, max_tokens: 50, x_vendor: 1 };
    expect(await forward(body)).toEqual({ ...body, model: "upstream-name" });
  });

  test("T1 a model whose own limit is not known is asked for no more than was held", async () => {
    const body = { model: "public-name", messages };
    expect(await forward(body)).toEqual({ ...body, model: "upstream-name", max_tokens: 64_000 });
    expect(await forward({ ...body, max_tokens: 0 })).toMatchObject({ max_tokens: 64_000 });
  });

  test("T1 an answer reaches the client byte for byte, unknown fields included", async () => {
    const answer =
      '{ "id":"x",  "object":"chat.completion","created":1,"model":"m","choices":[{"index":0,' +
      '"message":{"role":"assistant","content":"\\u00e9","reasoning_content":null,"x":[]},' +
      '"finish_reason":"stop","logprobs":null}],"usage":{"prompt_tokens":1,"completion_tokens":1,' +
      '"total_tokens":2,"x_cost":0.5},"x_vendor":{"kept":false}}\n';
    vendor.script = (_request, reply) =>
      reply.raw(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\n" +
          `content-length: ${answer.length}\r\n\r\n${answer}`,
      );
    try {
      const response = await gateway.post("/v1/chat/completions", { model: "chatA", messages });
      expect(await response.text()).toBe(answer);
    } finally {
      vendor.script = (_request, reply) => reply.json(completion("Hello."));
    }
  });
});

describe("the messages of a chat request", () => {
  test.each(["system", "developer", "user", "assistant"])(
    "T2 the role %s is taken and reaches the upstream",
    async (role) => {
      await expectKept({ messages: [{ role, content: "Be brief." }, ...messages] });
    },
  );

  test("T2 a tool's turn reaches the upstream with its calls and its result", async () => {
    const call = { id: "call_1", type: "function", function: { name: "a", arguments: '{"b":1}' } };
    await expectKept({
      messages: [
        ...messages,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "42" },
        { role: "assistant", tool_calls: [{ ...call, id: "call_2" }] },
        { role: "tool", tool_call_id: "call_2", content: [{ type: "text", text: "43" }] },
      ],
    });
  });

  test.each([
    ["a string", "Hello?"],
    ["an empty string", ""],
    [
      "text parts",
      [
        { type: "text", text: "One." },
        { type: "text", text: "" },
      ],
    ],
    [
      "an image by its public address",
      [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "high" } },
      ],
    ],
    [
      "an image as a data URL",
      [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }],
    ],
    ["parts of other types", [{ type: "x_part", x: { y: null } }]],
  ])("T2 content as %s reaches the upstream unchanged", async (_name, content) => {
    await expectKept({ messages: [{ role: "user", content }] });
  });
});

describe("tools, formats and limits of a chat request", () => {
  test.each([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    ["a named function", { type: "function", function: { name: "get_weather" } }],
  ])("T5 tool_choice %s reaches the upstream unchanged", async (_name, tool_choice) => {
    await expectKept({ tools: [weather], tool_choice, parallel_tool_calls: true });
  });

  test.each([
    ["json_object", { type: "json_object" }],
    [
      "json_schema",
      {
        type: "json_schema",
        json_schema: {
          name: "answer",
          strict: true,
          schema: { type: "object", properties: {}, additionalProperties: false },
        },
      },
    ],
  ])("T6 response_format %s reaches the upstream unchanged", async (_name, response_format) => {
    await expectKept({ response_format });
  });

  test.each(["none", "minimal", "low", "medium", "high", "xhigh"])(
    "T7 reasoning_effort %s reaches the upstream unchanged",
    async (reasoning_effort) => {
      await expectKept({ reasoning_effort, max_completion_tokens: 64 });
    },
  );

  test("T7 limits and sampling reach the upstream as the numbers they are", async () => {
    await expectKept({ max_tokens: 1, seed: 1.5, temperature: 2, top_p: 0.000_1 });
    await expectKept({ max_completion_tokens: 128_000, seed: 2 ** 52, temperature: 1e-7 });
  });
});

// The specification: each message "has `role` and `content`".
test("T1 a user message without content is a 400 that names it", async () => {
  for (const message of [{ role: "user" }, { role: "user", content: null }]) {
    const messages = [{ role: "user", content: "Hello?" }, message];
    const response = await gateway.post("/v1/chat/completions", { model: "chatA", messages });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "invalid_request", param: "messages.1.content" },
    });
  }
});
