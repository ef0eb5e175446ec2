import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { noHints, noSampling, type Exchange, type Tool, type ToolChoice } from "../exchange.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { aliasNames } from "../kit/tool-names.ts";
import { decodeContentRequest } from "./decode-request.ts";
import { encodeContentRequest } from "./encode-request.ts";
import { content } from "./index.ts";
import { readContentRequest } from "./read.ts";

const hello = { contents: [{ role: "user", parts: [{ text: "hello" }] }] };
const address = { model: "m", stream: false, framing: "events" } as const;
const base = decodeContentRequest(hello, readContentRequest(hello, address));
const target = { model: "gemini-2.5-flash", stream: true, outputTokensMax: 5000 };

function encode(more: Partial<Exchange>): { body: JsonObject; ignored: string[] } {
  return encodeContentRequest({ ...base, ...more }, target);
}

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, description: null, schema: null, isStrict: null, custom: null, ...more };
}

describe("the whole request", () => {
  test("nothing is said that nobody asked for, and the model stands in the address", () => {
    expect(encode({})).toEqual({ body: hello, ignored: [] });
  });

  test("T7 X-P09 sampling and limits are sent as they are, zeros too", () => {
    const sampling = {
      temperature: 0,
      topP: 0,
      topK: 0,
      seed: 0,
      presencePenalty: 0,
      frequencyPenalty: 0,
    };
    expect(encode({ sampling, outputTokensMax: 50, choices: 2, stop: ["a", "b"] }).body).toEqual({
      ...hello,
      generationConfig: {
        ...sampling,
        maxOutputTokens: 50,
        candidateCount: 2,
        stopSequences: ["a", "b"],
      },
    });
  });

  test("a seed fits into what Google takes, the same every time", () => {
    const seed = (value: number) =>
      encode({ sampling: { ...noSampling, seed: value } }).body["generationConfig"];
    expect(seed(2 ** 40 + 7)).toEqual({ seed: 7 });
    expect(seed(-3.5)).toEqual({ seed: -3 });
  });

  test("more stop sequences than Google takes are refused by the client's name", () => {
    expect(() => encode({ stop: ["1", "2", "3", "4", "5", "6"] })).toThrow(
      "generationConfig.stopSequences takes at most 5",
    );
  });

  test("X-P15 encoding leaves the exchange as it was for the next channel", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const exchange: Exchange = {
      ...base,
      tools: [tool("f", { schema })],
      shape: { kind: "schema", name: "n", description: "d", schema, isStrict: null },
      hints: { ...noHints, userId: "u" },
      turns: [
        ...base.turns,
        {
          role: "assistant",
          parts: [{ kind: "call", id: "c1", name: "f", input: "{}", isCustom: false }],
        },
        { role: "user", parts: [{ kind: "text", text: "go on" }] },
      ],
    };
    const before = structuredClone(exchange);
    const newest = { ...target, model: "gemini-3-pro" };
    const first = encodeContentRequest(exchange, newest);
    expect(exchange).toEqual(before);
    expect(encodeContentRequest(exchange, newest)).toEqual(first);
  });

  test("hints that Google lacks are left out and told; safety settings go on", () => {
    const safety = [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }];
    const hints = { ...noHints, userId: "u", serviceTier: "flex", cacheKey: "k", safety };
    expect(encode({ hints })).toEqual({
      body: { ...hello, safetySettings: safety },
      ignored: [base.names.userId, base.names.serviceTier, base.names.cacheKey],
    });
  });

  test("T7 reasoning is asked for in the model's own way", () => {
    const reasoning = { effort: "medium", budgetTokens: null, isShown: null } as const;
    expect(encode({ reasoning }).body["generationConfig"]).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1500 },
    });
    const old = { ...target, model: "gemini-2.0-flash" };
    expect(encodeContentRequest({ ...base, reasoning }, old)).toEqual({
      body: hello,
      ignored: ["generationConfig.thinkingConfig"],
    });
  });

  test("X-H10 a budget is never more than the output that was paid for", () => {
    const reasoning = { effort: null, budgetTokens: 90_000, isShown: false };
    const budget = (outputTokensMax: number | null) =>
      encode({ reasoning, outputTokensMax }).body["generationConfig"];
    expect(budget(null)).toEqual({ thinkingConfig: { thinkingBudget: 4999 } });
    expect(budget(300)).toEqual({
      maxOutputTokens: 300,
      thinkingConfig: { thinkingBudget: 299 },
    });
  });
});

describe("structured output", () => {
  test("T6 a schema goes in Google's subset, or as it is where that cannot hold it", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: false,
    };
    const shape = { kind: "schema", name: "n", description: "d", schema, isStrict: true } as const;
    expect(encode({ shape }).body["generationConfig"]).toEqual({
      responseMimeType: "application/json",
      responseSchema: { type: "OBJECT", description: "d", properties: { a: { type: "STRING" } } },
    });
    const map = { type: "object", additionalProperties: { type: "string" } };
    expect(encode({ shape: { ...shape, schema: map } }).body["generationConfig"]).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: map,
    });
  });

  test("T6 JSON without a schema is a media type alone, and text is nothing", () => {
    expect(encode({ shape: { kind: "json" } }).body["generationConfig"]).toEqual({
      responseMimeType: "application/json",
    });
    expect(encode({ shape: { kind: "text" } }).body).toEqual(hello);
  });
});

describe("tools", () => {
  function declarations(...tools: Tool[]): unknown {
    return encode({ tools }).body["tools"];
  }

  test("X-T20 parameters are written in Google's subset", () => {
    const schema = {
      type: "object",
      properties: { n: { type: ["integer", "null"] } },
      required: ["n"],
    };
    expect(declarations(tool("f", { description: "does", schema, isStrict: true }))).toEqual([
      {
        functionDeclarations: [
          {
            name: "f",
            description: "does",
            parameters: {
              type: "OBJECT",
              properties: { n: { type: "INTEGER", nullable: true } },
              required: ["n"],
            },
          },
        ],
      },
    ]);
  });

  test("a schema that the subset cannot hold goes as it is", () => {
    const schema = {
      type: "object",
      properties: { next: { $ref: "#" } },
    };
    expect(declarations(tool("f", { schema }))).toEqual([
      { functionDeclarations: [{ name: "f", parametersJsonSchema: schema }] },
    ]);
  });

  test("a function that takes nothing has no parameters", () => {
    const empty = [
      null,
      {},
      { type: "object" },
      { type: "object", properties: {}, additionalProperties: false, required: [] },
    ];
    for (const schema of empty) {
      expect(declarations(tool("f", { schema }))).toEqual([
        { functionDeclarations: [{ name: "f" }] },
      ]);
    }
    const map = { type: "object", additionalProperties: { type: "string" } };
    expect(declarations(tool("f", { schema: map }))).toEqual([
      { functionDeclarations: [{ name: "f", parametersJsonSchema: map }] },
    ]);
  });

  test("X-T26 a tool that takes free text is a function with one input", () => {
    const parameters = {
      type: "OBJECT",
      properties: { input: { type: "STRING" } },
      required: ["input"],
    };
    expect(encode({ tools: [tool("sh", { custom: { format: { type: "text" } } })] })).toEqual({
      body: { ...hello, tools: [{ functionDeclarations: [{ name: "sh", parameters }] }] },
      ignored: [],
    });
    const format = { type: "grammar", syntax: "lark", definition: "start: A" };
    const { body, ignored } = encode({ tools: [tool("sh", { custom: { format } })] });
    expect(ignored).toEqual(["tools"]);
    expect(JSON.stringify(body)).toContain("start: A");
  });

  test("T5 X-T05 the choice of tools has its modes", () => {
    const tools = [tool("f"), tool("g"), tool("h")];
    const modes: [ToolChoice | null, unknown][] = [
      [null, undefined],
      [{ kind: "none" }, { mode: "NONE" }],
      [{ kind: "auto" }, { mode: "AUTO" }],
      [{ kind: "required" }, { mode: "ANY" }],
      [
        { kind: "tool", name: "f", isCustom: false },
        { mode: "ANY", allowedFunctionNames: ["f"] },
      ],
      [
        { kind: "some", names: ["f", "g"], isRequired: true },
        { mode: "ANY", allowedFunctionNames: ["f", "g"] },
      ],
      [{ kind: "some", names: ["f"], isRequired: false }, { mode: "AUTO" }],
    ];
    for (const [toolChoice, functionCallingConfig] of modes) {
      const { toolConfig } = encode({ tools, toolChoice }).body;
      expect<unknown>(toolConfig).toEqual(functionCallingConfig && { functionCallingConfig });
    }
  });

  test("who may choose from some tools is shown no others", () => {
    const toolChoice: ToolChoice = { kind: "some", names: ["g"], isRequired: false };
    expect(encode({ tools: [tool("f"), tool("g")], toolChoice }).body["tools"]).toEqual([
      { functionDeclarations: [{ name: "g" }] },
    ]);
  });

  test("X-T19 a history of calls without tools has them declared, and none may be called", () => {
    const call = { kind: "call", id: "c1", name: "f", input: "{}", isCustom: false } as const;
    const exchange = toNormalForm({
      ...base,
      turns: [...base.turns, { role: "assistant", parts: [call] }],
    });
    expect(encodeContentRequest(exchange, target).body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: "f" }] }],
      toolConfig: { functionCallingConfig: { mode: "NONE" } },
    });
  });

  test("X-T04 without tools there is no choice of them", () => {
    expect(encode({ toolChoice: { kind: "auto" } }).body).toEqual(hello);
  });

  test("one call at a time cannot be asked for, which is told", () => {
    const tools = [tool("f")];
    expect(encode({ tools, parallelCalls: false }).ignored).toEqual([base.names.parallelCalls]);
    expect(encode({ tools, parallelCalls: true }).ignored).toEqual([]);
  });

  test("X-T08 names that Google refuses go out under an alias", () => {
    const names = ["ok.name:x", "1st", "a b", "x".repeat(70)];
    const rule = content.upstream;
    if (!rule) throw new Error("content has an upstream side");
    const { exchange } = aliasNames({ ...base, tools: names.map((name) => tool(name)) }, rule);
    for (const { name } of exchange.tools) expect(name).toMatch(/^[A-Za-z_][\w.:-]{0,63}$/);
    expect(exchange.tools[0]?.name).toBe("ok.name:x");
  });
});
