import { describe, expect, test } from "bun:test";
import { noHints, noSampling, type Exchange, type Reasoning } from "../exchange.ts";
import type { EncodedRequest } from "../format.ts";
import { exchangeWith } from "../kit/fixtures/shapes.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { openaiNames } from "../kit/openai-exchange.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { encodeChatRequest } from "./encode-request.ts";
import { readChatRequest } from "./read.ts";

const target = { model: "deepseek-chat", stream: false, outputTokensMax: 1000 };

function greetingWith(fields: Partial<Exchange>): Exchange {
  return exchangeWith({
    model: "public",
    turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
    names: { ...openaiNames({}), topK: "topK", safety: "safetySettings" },
    ...fields,
  });
}

function encode(fields: Partial<Exchange>, model = target.model): EncodedRequest {
  return encodeChatRequest(greetingWith(fields), { ...target, model });
}

const look = {
  name: "look",
  description: null,
  schema: { type: "object" },
  isStrict: null,
  custom: null,
};
const sql = { ...look, name: "sql", schema: null, custom: { format: null } };

test("a plain exchange is a plain request", () => {
  expect(encode({})).toEqual({
    body: { model: "deepseek-chat", messages: [{ role: "user", content: "hi" }] },
    ignored: [],
  });
});

test("X-U20 usage is always asked for when streaming", () => {
  expect(encodeChatRequest(greetingWith({}), { ...target, stream: true }).body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
});

describe("the bound of the output", () => {
  test("X-P07 is kept, under the name that the model knows", () => {
    expect(encode({ outputTokensMax: 50 }).body).toMatchObject({ max_tokens: 50 });
    for (const model of ["o3-mini", "gpt-5", "gpt-5.2-pro"]) {
      const { body } = encode({ outputTokensMax: 50 }, model);
      expect(body).toMatchObject({ max_completion_tokens: 50 });
      expect(body).not.toHaveProperty("max_tokens");
    }
    expect(encode({ outputTokensMax: 50 }, "gpt-4o").body).toHaveProperty("max_tokens");
  });

  test("is never above what was paid for, and absent where the client gave none", () => {
    expect(encode({ outputTokensMax: 5000 }).body).toMatchObject({ max_tokens: 1000 });
    expect(encode({}, "gpt-5").body).not.toHaveProperty("max_completion_tokens");
  });
});

test("X-P09 zeros are sent", () => {
  const sampling = { ...noSampling, temperature: 0, topP: 0, seed: 0, presencePenalty: 0 };
  expect(encode({ sampling, choices: 2, stop: ["a", "b"] }).body).toMatchObject({
    temperature: 0,
    top_p: 0,
    seed: 0,
    presence_penalty: 0,
    n: 2,
    stop: ["a", "b"],
  });
});

test("X-P13 hints are sent where chat has them, and told where it has not", () => {
  const hints = {
    userId: "u",
    metadata: { a: "b" },
    verbosity: "low",
    serviceTier: "batch",
    cacheKey: "k",
    store: false,
    safety: [{ category: "c" }],
  };
  const { body, ignored } = encode({ hints, sampling: { ...noSampling, topK: 3 } });
  expect(body).toMatchObject({
    user: "u",
    metadata: { a: "b" },
    verbosity: "low",
    prompt_cache_key: "k",
    store: false,
  });
  for (const name of ["safety_identifier", "top_k", "service_tier"]) {
    expect(body).not.toHaveProperty(name);
  }
  expect(ignored).toEqual(["topK", "safetySettings", "service_tier"]);
});

test.each([
  ["flex", "flex"],
  ["standard_only", "default"],
])("the tier %s is %s", (serviceTier, service_tier) => {
  expect(encode({ hints: { ...noHints, serviceTier } })).toMatchObject({
    body: { service_tier },
    ignored: [],
  });
});

describe("reasoning", () => {
  const effortOf = (reasoning: Partial<Reasoning>, model?: string) =>
    encode({ reasoning: { effort: null, budgetTokens: null, isShown: null, ...reasoning } }, model)
      .body["reasoning_effort"];

  test("an effort is sent as it is", () => {
    expect(effortOf({ effort: "xhigh", budgetTokens: 5 })).toBe("xhigh");
  });

  test.each([
    [1024, "low"],
    [2048, "low"],
    [8000, "medium"],
    [20_000, "high"],
    [60_000, "xhigh"],
    [-1, undefined],
  ])("a budget of %d tokens is %s", (budgetTokens, effort) => {
    expect(effortOf({ budgetTokens })).toBe(effort);
  });

  test("X-H16 none is said to models that know it", () => {
    expect(effortOf({ effort: "none" }, "gpt-5.2")).toBe("none");
    expect(effortOf({ budgetTokens: 0 }, "gpt-5.2")).toBe("none");
    expect(effortOf({ effort: "none" }, "gpt-5-mini")).toBe("minimal");
    expect(effortOf({ effort: "none" }, "o3")).toBe("low");
  });

  test("X-H09 none is not said to the others, and stop sequences are kept", () => {
    const reasoning: Reasoning = { effort: "none", budgetTokens: null, isShown: false };
    const { body } = encode({ reasoning, stop: ["END"] });
    expect(body).not.toHaveProperty("reasoning_effort");
    expect(body).toMatchObject({ stop: ["END"] });
  });
});

describe("the shape of the answer", () => {
  const schema = { type: "object" };

  test("X-P04 is asked for by its schema", () => {
    const shape = { kind: "schema", name: "n", description: null, schema, isStrict: null } as const;
    expect(encode({ shape }).body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "n", schema },
    });
    expect(
      encode({ shape: { ...shape, description: "d", isStrict: true } }).body["response_format"],
    ).toMatchObject({ json_schema: { description: "d", strict: true } });
  });

  test("is asked for in words too, because vendors refuse JSON that no message speaks of", () => {
    expect(encode({ shape: { kind: "json" } }).body).toMatchObject({
      messages: [{ role: "system", content: "Answer in JSON." }, { role: "user" }],
      response_format: { type: "json_object" },
    });
    const withSystem = (text: string) =>
      encode({ shape: { kind: "json" }, system: [{ kind: "text", text }] }).body["messages"];
    expect(withSystem("Reply as Json")).toMatchObject([{ content: "Reply as Json" }, {}]);
    expect(withSystem("Be brief.")).toMatchObject([
      { content: "Be brief.\n\nAnswer in JSON." },
      {},
    ]);
  });

  test("is not spoken of when it is text", () => {
    expect(encode({ shape: { kind: "text" } }).body).not.toHaveProperty("response_format");
  });
});

describe("tools", () => {
  test("X-T22 X-T23 say only what was said of them, and list no properties for none", () => {
    const strict = { ...look, description: "d", schema: {}, isStrict: false };
    const parameters = { type: "object", properties: {} };
    expect(encode({ tools: [look, strict, { ...look, schema: null }] }).body["tools"]).toEqual([
      { type: "function", function: { name: "look", parameters } },
      {
        type: "function",
        function: { name: "look", description: "d", parameters, strict: false },
      },
      { type: "function", function: { name: "look" } },
    ]);
  });

  test("X-T26 custom tools have chat's form of a grammar", () => {
    const format = { type: "grammar", syntax: "regex", definition: "a+" };
    const nested = { type: "grammar", grammar: { syntax: "regex", definition: "a+" } };
    for (const given of [format, nested]) {
      expect(encode({ tools: [{ ...sql, custom: { format: given } }] }).body["tools"]).toEqual([
        { type: "custom", custom: { name: "sql", format: nested } },
      ]);
    }
    expect(encode({ tools: [sql] }).body["tools"]).toEqual([
      { type: "custom", custom: { name: "sql" } },
    ]);
  });

  test("X-T25 a choice names its tool", () => {
    const choose = (toolChoice: NonNullable<Exchange["toolChoice"]>) =>
      encode({ tools: [look, sql], toolChoice }).body["tool_choice"];
    expect(choose({ kind: "none" })).toBe("none");
    expect(choose({ kind: "auto" })).toBe("auto");
    expect(choose({ kind: "required" })).toBe("required");
    expect(choose({ kind: "tool", name: "look", isCustom: false })).toEqual({
      type: "function",
      function: { name: "look" },
    });
    expect(choose({ kind: "tool", name: "sql", isCustom: true })).toEqual({
      type: "custom",
      custom: { name: "sql" },
    });
  });

  test("X-T05 a choice among some survives the way there and back", () => {
    const toolChoice = { kind: "some", names: ["look", "sql"], isRequired: true } as const;
    const { body } = encode({
      tools: [look, sql],
      toolChoice: { ...toolChoice, names: ["look", "sql"] },
    });
    expect(body["tool_choice"]).toEqual({
      type: "allowed_tools",
      allowed_tools: {
        mode: "required",
        tools: [
          { type: "function", function: { name: "look" } },
          { type: "custom", custom: { name: "sql" } },
        ],
      },
    });
    expect(decodeChatRequest(body, readChatRequest(body)).toolChoice).toEqual({
      ...toolChoice,
      names: ["look", "sql"],
    });
  });

  test("X-T05 one tool that must be called is named, which every vendor understands", () => {
    const toolChoice = { kind: "some", names: ["look"], isRequired: true } as const;
    expect(
      encode({ tools: [look, sql], toolChoice: { ...toolChoice, names: ["look"] } }).body[
        "tool_choice"
      ],
    ).toEqual({ type: "function", function: { name: "look" } });
    const free = { kind: "some", names: ["look"], isRequired: false } as const;
    expect(
      encode({ tools: [look], toolChoice: { ...free, names: ["look"] } }).body["tool_choice"],
    ).toMatchObject({ allowed_tools: { mode: "auto" } });
  });

  test("X-T04 fields about tools go with the tools", () => {
    const { body } = encode({ parallelCalls: false });
    expect(body).not.toHaveProperty("parallel_tool_calls");
    expect(encode({ tools: [look], parallelCalls: false }).body).toMatchObject({
      parallel_tool_calls: false,
    });
  });

  test("X-T19 a history with calls is sent with tools", () => {
    const call = { kind: "call", id: "c", name: "look", input: "{}", isCustom: false } as const;
    const exchange = toNormalForm(greetingWith({ turns: [{ role: "assistant", parts: [call] }] }));
    expect(encodeChatRequest(exchange, target).body).toMatchObject({
      tools: [{ function: { name: "look" } }],
      tool_choice: "none",
    });
  });
});
