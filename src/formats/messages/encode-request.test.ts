import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { noHints, noSampling, type Exchange, type Tool } from "../exchange.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeRequest } from "./encode-request.ts";
import { readMessagesRequest } from "./read.ts";

const plainBody = { model: "shown-model", messages: [{ role: "user", content: "hello" }] };
const plain = decodeRequest(plainBody, readMessagesRequest(plainBody));
/** Names that a client of another format would have. */
const names = { ...plain.names, reasoning: "reasoning_effort", shape: "response_format" };

function makeExchange(set: Partial<Exchange> = {}): Exchange {
  return { ...plain, names: { ...names, cacheKey: "prompt_cache_key" }, ...set };
}

function makeTarget(model: string = "claude-opus-4-6") {
  return { model, stream: false, outputTokensMax: 8000 };
}

const weather: Tool = {
  name: "weather",
  description: "Tells the weather",
  schema: { type: "object", properties: { city: { type: "string" } } },
  isStrict: null,
  custom: null,
};
const clock: Tool = { ...weather, name: "clock", description: null, schema: null };

function encode(set: Partial<Exchange>, model?: string): { body: JsonObject; ignored: string[] } {
  return encodeRequest(toNormalForm(makeExchange(set)), makeTarget(model));
}

function bodyOf(set: Partial<Exchange>, model?: string): JsonObject {
  return encode(set, model).body;
}

describe("a request", () => {
  test("has the bound on the output that the wire requires, and never more than was paid for", () => {
    expect(bodyOf({})).toEqual({
      model: "claude-opus-4-6",
      max_tokens: 8000,
      messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    });
    expect(bodyOf({ outputTokensMax: 50 })["max_tokens"]).toBe(50);
    expect(bodyOf({ outputTokensMax: 9000 })["max_tokens"]).toBe(8000);
    expect(bodyOf({}, "claude-3-opus-latest")["max_tokens"]).toBe(4096);
  });

  test("streams when the client does", () => {
    const { body } = encodeRequest(makeExchange(), { ...makeTarget(), stream: true });
    expect(body["stream"]).toBe(true);
  });

  test("X-M01 X-M03 X-P16 has instructions from everywhere at its top, with their cache marks", () => {
    const body = bodyOf({
      system: [{ kind: "text", text: "first", cache: { ttl: "1h" } }],
      turns: [
        { role: "user", parts: [{ kind: "text", text: "a", cache: { ttl: null } }] },
        { role: "system", parts: [{ kind: "text", text: "later" }] },
        { role: "user", parts: [{ kind: "text", text: "b" }] },
      ],
    });
    expect(body["system"]).toEqual([
      { type: "text", text: "first", cache_control: { type: "ephemeral", ttl: "1h" } },
      { type: "text", text: "later" },
    ]);
    expect(body["messages"]).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a", cache_control: { type: "ephemeral" } },
          { type: "text", text: "b" },
        ],
      },
    ]);
  });

  test("for several answers is refused in the client's words", () => {
    const ask = () => bodyOf({ choices: 2 });
    expect(ask).toThrow(GatewayError);
    expect(ask).toThrow("n cannot be carried");
  });
});

describe("the choice of tools", () => {
  const choiceOf = (set: Partial<Exchange>) =>
    bodyOf({ tools: [weather, clock], ...set })["tool_choice"];

  test("X-T01 none is none", () => {
    expect(choiceOf({ toolChoice: { kind: "none" } })).toEqual({ type: "none" });
  });

  test("X-T02 none says nothing of parallel calls", () => {
    expect(choiceOf({ toolChoice: { kind: "none" }, parallelCalls: false })).toEqual({
      type: "none",
    });
  });

  test("calls one at a time are asked for with every other choice, and with no choice", () => {
    const single = { disable_parallel_tool_use: true };
    expect(choiceOf({ parallelCalls: false })).toEqual({ type: "auto", ...single });
    expect(choiceOf({ parallelCalls: false, toolChoice: { kind: "required" } })).toEqual({
      type: "any",
      ...single,
    });
    expect(choiceOf({ parallelCalls: true })).toBeUndefined();
  });

  test("is said in the format's words", () => {
    expect(choiceOf({})).toBeUndefined();
    expect(choiceOf({ toolChoice: { kind: "auto" } })).toEqual({ type: "auto" });
    expect(choiceOf({ toolChoice: { kind: "required" } })).toEqual({ type: "any" });
    const named = { kind: "tool", name: "clock", isCustom: false } as const;
    expect(choiceOf({ toolChoice: named })).toEqual({ type: "tool", name: "clock" });
  });

  test("X-T05 among some tools leaves only those", () => {
    const toolChoice = { kind: "some", names: ["clock"], isRequired: true } as const;
    const body = bodyOf({
      tools: [weather, clock],
      toolChoice: { ...toolChoice, names: ["clock"] },
    });
    expect(body["tool_choice"]).toEqual({ type: "any" });
    expect(body["tools"]).toMatchObject([{ name: "clock" }]);
  });

  test("X-T04 goes when there are no tools", () => {
    const body = bodyOf({ toolChoice: { kind: "auto" }, parallelCalls: false });
    expect(body).not.toHaveProperty("tool_choice");
    expect(body).not.toHaveProperty("tools");
  });

  test("X-T19 a history with calls brings its tools, which may not be called", () => {
    const body = bodyOf({
      turns: [
        { role: "user", parts: [{ kind: "text", text: "a" }] },
        {
          role: "assistant",
          parts: [{ kind: "call", id: "1", name: "old", input: "{}", isCustom: false }],
        },
      ],
    });
    expect(body["tools"]).toMatchObject([{ name: "old", input_schema: { type: "object" } }]);
    expect(body["tool_choice"]).toEqual({ type: "none" });
  });
});

describe("a tool", () => {
  const toolOf = (tool: Tool, model?: string) => {
    const { tools } = bodyOf({ tools: [tool] }, model);
    return Array.isArray(tools) ? tools[0] : undefined;
  };

  test("has an input schema even when the client gave none", () => {
    expect(toolOf(clock)).toEqual({
      name: "clock",
      input_schema: { type: "object", properties: {} },
    });
    expect(toolOf({ ...weather, schema: {} })).toMatchObject({ input_schema: { type: "object" } });
  });

  test("keeps its description and its cache mark", () => {
    expect(toolOf({ ...weather, cache: { ttl: "5m" } })).toEqual({
      name: "weather",
      description: "Tells the weather",
      input_schema: { type: "object", properties: { city: { type: "string" } } },
      cache_control: { type: "ephemeral", ttl: "5m" },
    });
  });

  test("is strict where the model knows how, in the part of the schema that it takes", () => {
    const schema = { type: "object", properties: { n: { type: "integer", minimum: 1 } } };
    const strict = { ...weather, schema, isStrict: true };
    expect(toolOf(strict)).toMatchObject({
      strict: true,
      input_schema: { additionalProperties: false },
    });
    expect(toolOf(strict, "claude-sonnet-4-20250514")).not.toHaveProperty("strict");
    expect(toolOf({ ...strict, isStrict: false })).not.toHaveProperty("strict");
  });

  test("may not have alternatives at the top of its schema", () => {
    const encoded = toolOf({ ...weather, schema: { anyOf: [{ required: ["a"] }] } });
    expect(encoded).toMatchObject({
      input_schema: { type: "object", description: '{"anyOf":[{"required":["a"]}]}' },
    });
    expect(JSON.stringify(encoded)).not.toContain('"anyOf":[{"required":["a"]}],');
  });

  test("X-T26 a custom one takes its free text in one field, there and in the history", () => {
    const grammar = { type: "grammar", grammar: { syntax: "lark", definition: "start: WORD" } };
    const shell: Tool = { ...weather, name: "shell", schema: null, custom: { format: grammar } };
    const body = bodyOf({
      tools: [shell],
      turns: [
        { role: "user", parts: [{ kind: "text", text: "a" }] },
        {
          role: "assistant",
          parts: [{ kind: "call", id: "1", name: "shell", input: "ls {}", isCustom: true }],
        },
      ],
    });
    expect(body["tools"]).toMatchObject([
      {
        name: "shell",
        description: expect.stringContaining("start: WORD"),
        input_schema: {
          type: "object",
          properties: { input: { type: "string" } },
          required: ["input"],
        },
      },
    ]);
    expect(body["messages"]).toMatchObject([
      {},
      { content: [{ type: "tool_use", input: { input: "ls {}" } }] },
      {},
    ]);
  });
});

describe("an answer of a given shape", () => {
  const schema = {
    type: "object",
    properties: { tags: { type: "array", items: { type: "string" }, uniqueItems: true } },
    minProperties: 1,
  };
  const shape = { kind: "schema", name: "s", description: null, schema, isStrict: true } as const;

  test("X-P01 is asked for by the part of the schema that the vendor takes", () => {
    expect(bodyOf({ shape })["output_config"]).toEqual({
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: {
            tags: { type: "array", items: { type: "string" }, description: "(uniqueItems: true)" },
          },
          additionalProperties: false,
          description: "(minProperties: 1)",
        },
      },
    });
  });

  test("X-P03 is the input of a forced tool on older models", () => {
    const body = bodyOf(
      { shape, reasoning: { effort: "low", budgetTokens: null, isShown: null } },
      "claude-sonnet-4-20250514",
    );
    expect(body["tools"]).toMatchObject([{ name: "sluice_json_output", input_schema: schema }]);
    expect(body["tool_choice"]).toEqual({
      type: "tool",
      name: "sluice_json_output",
      disable_parallel_tool_use: true,
    });
    expect(body).not.toHaveProperty("output_config");
    expect(body).not.toHaveProperty("thinking");
  });

  test("X-P03 leaves the client's own tools callable, and steps back where one must be called", () => {
    const both = bodyOf({ shape, tools: [weather] }, "claude-3-7-sonnet-latest");
    expect(both["tools"]).toMatchObject([{ name: "weather" }, { name: "sluice_json_output" }]);
    expect(both["tool_choice"]).toEqual({ type: "any" });
    const forced = bodyOf(
      { shape, tools: [weather], toolChoice: { kind: "required" } },
      "claude-3-7-sonnet-latest",
    );
    expect(forced["tools"]).toMatchObject([{ name: "weather" }]);
  });

  test("that no tool can have as its input is refused on older models", () => {
    const list = { ...shape, schema: { type: "array" } };
    expect(() => bodyOf({ shape: list }, "claude-3-opus-20240229")).toThrow(
      "response_format cannot be carried",
    );
  });

  test("T6 JSON of any shape is an instruction", () => {
    const body = bodyOf({ shape: { kind: "json" } });
    expect(body["system"]).toMatchObject([{ type: "text", text: expect.stringContaining("JSON") }]);
    expect(bodyOf({ shape: { kind: "text" } })).not.toHaveProperty("system");
  });
});

describe("reasoning", () => {
  const high = { effort: "high", budgetTokens: null, isShown: null } as const;

  test("X-H10 by a budget stays below the bound on the output, which is never raised", () => {
    const body = bodyOf({ reasoning: high, outputTokensMax: 2000 }, "claude-sonnet-4-5");
    expect(body).toMatchObject({
      max_tokens: 2000,
      thinking: { type: "enabled", budget_tokens: 1200 },
    });
    const small = encode({ reasoning: high, outputTokensMax: 1024 }, "claude-sonnet-4-5");
    expect(small.body).not.toHaveProperty("thinking");
    expect(small.ignored).toEqual(["reasoning_effort"]);
  });

  test("by a budget gives way to a tool that must be called", () => {
    const forced = encode(
      { reasoning: high, tools: [weather], toolChoice: { kind: "required" } },
      "claude-sonnet-4-5",
    );
    expect(forced.body).not.toHaveProperty("thinking");
    expect(forced.ignored).toEqual(["reasoning_effort"]);
  });

  test("a tool that must be called only should be, where the model cannot be made to", () => {
    const { body, ignored } = encode(
      { tools: [weather], toolChoice: { kind: "required" }, parallelCalls: false },
      "claude-opus-5-5",
    );
    expect(body["tool_choice"]).toEqual({ type: "auto", disable_parallel_tool_use: true });
    expect(ignored).toEqual(["tool_choice"]);
  });

  test("by a budget is left out where the open answer began without thoughts", () => {
    const turns = (text: string): Exchange["turns"] => [
      { role: "user", parts: [{ kind: "text", text: "a" }] },
      {
        role: "assistant",
        parts: [
          {
            kind: "reasoning",
            text,
            proof: text ? { dialect: "messages", data: "sig" } : null,
            isRedacted: false,
          },
          { kind: "call", id: "1", name: "weather", input: "{}", isCustom: false },
        ],
      },
      {
        role: "user",
        parts: [
          {
            kind: "result",
            callId: "1",
            name: "weather",
            content: [],
            isError: false,
            isCustom: false,
          },
        ],
      },
    ];
    const resumed = encode(
      { reasoning: high, tools: [weather], turns: turns("") },
      "claude-sonnet-4-5",
    );
    expect(resumed.body).not.toHaveProperty("thinking");
    expect(resumed.ignored).toEqual(["reasoning_effort"]);
    expect(
      bodyOf({ reasoning: high, tools: [weather], turns: turns("hm") }, "claude-sonnet-4-5"),
    ).toHaveProperty("thinking");
    expect(bodyOf({ reasoning: high, tools: [weather], turns: turns("") })).toHaveProperty(
      "thinking",
    );
  });

  test("of newer models is left to them, with an effort beside the format", () => {
    const shape = {
      kind: "schema",
      name: "s",
      description: null,
      schema: {},
      isStrict: null,
    } as const;
    expect(bodyOf({ reasoning: high, shape })).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "high", format: { type: "json_schema" } },
    });
  });
});

describe("settings", () => {
  test("X-P09 zeros are sent", () => {
    const sampling = { ...noSampling, temperature: 0, topP: 0, topK: 0 };
    expect(bodyOf({ sampling })).toMatchObject({ temperature: 0, top_p: 0, top_k: 0 });
  });

  test("X-P12 a temperature past the vendor's scale is its highest, and top_k has its own field", () => {
    const sampling = { ...noSampling, temperature: 1.7, topK: 40 };
    expect(bodyOf({ sampling })).toMatchObject({ temperature: 1, top_k: 40 });
  });

  test("stop sequences and the end user have their fields", () => {
    const hints = { ...noHints, userId: "u1", serviceTier: "default" };
    expect(bodyOf({ stop: ["END"], hints })).toMatchObject({
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
      service_tier: "standard_only",
    });
  });

  test("X-P13 what the wire has no word for is left out and told in the client's words", () => {
    const sampling = { ...noSampling, seed: 1, presencePenalty: 0, frequencyPenalty: 1 };
    const hints = {
      ...noHints,
      metadata: { a: "b" },
      verbosity: "low",
      serviceTier: "flex",
      cacheKey: "k",
      store: true,
      safety: [],
    };
    const { body, ignored } = encode({ sampling, hints });
    expect(Object.keys(body)).toEqual(["model", "max_tokens", "messages"]);
    expect(ignored).toEqual([
      "seed",
      "presence_penalty",
      "frequency_penalty",
      "service_tier",
      "metadata",
      "verbosity",
      "prompt_cache_key",
      "store",
      "safety",
    ]);
  });

  test("X-P15 the exchange itself is not changed, so another target gets the original", () => {
    const exchange = makeExchange({
      sampling: { ...noSampling, temperature: 2, seed: 1 },
      reasoning: { effort: "low", budgetTokens: null, isShown: null },
      shape: { kind: "json" },
      turns: [{ role: "assistant", parts: [{ kind: "text", text: "prefill  " }] }],
    });
    const before = JSON.stringify(exchange);
    encodeRequest(exchange, makeTarget("claude-sonnet-4-5"));
    expect(JSON.stringify(exchange)).toBe(before);
  });
});
