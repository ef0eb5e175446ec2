import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange } from "../exchange.ts";
import { exchangeWith, refusedParam } from "../kit/fixtures/shapes.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { readChatRequest } from "./read.ts";

const messages = [{ role: "user", content: "hi" }];

function decode(fields: JsonObject): Exchange {
  const body = { model: "gpt-5", messages, ...fields };
  return decodeChatRequest(body, readChatRequest(body));
}

function refusal(fields: JsonObject): string | null {
  return refusedParam(() => decode(fields));
}

test("a plain request says nothing that the client did not say", () => {
  expect(decode({})).toEqual(
    exchangeWith({
      model: "gpt-5",
      turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
      sampling: {
        temperature: null,
        topP: null,
        topK: null,
        seed: null,
        presencePenalty: null,
        frequencyPenalty: null,
      },
      hints: {
        userId: null,
        metadata: null,
        verbosity: null,
        serviceTier: null,
        cacheKey: null,
        store: null,
        safety: null,
      },
      names: decode({}).names,
      search: null,
    }),
  );
});

describe("numbers", () => {
  test("X-P09 a temperature and a top_p of 0 are values", () => {
    expect(decode({ temperature: 0, top_p: 0, seed: 0 }).sampling).toMatchObject({
      temperature: 0,
      topP: 0,
      seed: 0,
    });
  });

  test("X-P12 top_k, which clients of other vendors send, is kept", () => {
    expect(
      decode({ top_k: 40, presence_penalty: -1, frequency_penalty: 2 }).sampling,
    ).toMatchObject({ topK: 40, presencePenalty: -1, frequencyPenalty: 2 });
  });

  test("the bound of the output goes by both of its names", () => {
    expect(decode({ max_tokens: 5 })).toMatchObject({
      outputTokensMax: 5,
      names: { outputTokensMax: "max_tokens" },
    });
    expect(decode({ max_completion_tokens: 7, n: 3 })).toMatchObject({
      outputTokensMax: 7,
      choices: 3,
      names: { outputTokensMax: "max_completion_tokens" },
    });
  });
});

test("stop is one sequence or several", () => {
  expect(decode({ stop: "a" }).stop).toEqual(["a"]);
  expect(decode({ stop: ["a", "", "b"] }).stop).toEqual(["a", "b"]);
  expect(decode({ stop: null }).stop).toEqual([]);
  expect(refusal({ stop: ["a", 1] })).toBe("stop.1");
});

test("hints are carried, the user under the name that was used", () => {
  const { hints, names } = decode({
    user: "u",
    metadata: { a: "b", c: 1 },
    verbosity: "low",
    service_tier: "flex",
    prompt_cache_key: "k",
    store: false,
  });
  expect(hints).toEqual({
    userId: "u",
    metadata: { a: "b" },
    verbosity: "low",
    serviceTier: "flex",
    cacheKey: "k",
    store: false,
    safety: null,
  });
  expect(names.userId).toBe("user");
  expect(decode({ user: "u", safety_identifier: "s" })).toMatchObject({
    hints: { userId: "s" },
    names: { userId: "safety_identifier" },
  });
});

describe("reasoning", () => {
  test.each(["none", "minimal", "low", "medium", "high", "xhigh", "max"])(
    "X-H10 an effort of %s is carried as it is",
    (effort) => {
      expect(decode({ reasoning_effort: effort, max_tokens: 10 })).toMatchObject({
        reasoning: { effort, budgetTokens: null },
        outputTokensMax: 10,
      });
    },
  );

  test("an effort that nobody knows is refused by name", () => {
    expect(refusal({ reasoning_effort: "huge" })).toBe("reasoning_effort");
  });
});

describe("the shape of the answer", () => {
  test("X-P04 is text, JSON, or JSON by a schema", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    expect(decode({ response_format: { type: "text" } }).shape).toEqual({ kind: "text" });
    expect(decode({ response_format: { type: "json_object" } }).shape).toEqual({ kind: "json" });
    const json_schema = { name: "n", description: "d", schema, strict: true };
    expect(decode({ response_format: { type: "json_schema", json_schema } }).shape).toEqual({
      kind: "schema",
      name: "n",
      description: "d",
      schema,
      isStrict: true,
    });
  });

  test("by a schema that is not there is any JSON", () => {
    const response_format = { type: "json_schema", json_schema: { name: "n" } };
    expect(decode({ response_format }).shape).toEqual({ kind: "json" });
  });

  test("that nobody knows is refused by name", () => {
    expect(refusal({ response_format: { type: "grammar" } })).toBe("response_format.type");
    expect(refusal({ response_format: { type: "json_schema" } })).toBe(
      "response_format.json_schema",
    );
  });
});

describe("what no other dialect can carry", () => {
  test.each<[string, JsonObject]>([
    ["logit_bias", { logit_bias: { 50256: -100 } }],
    ["logprobs", { logprobs: true, top_logprobs: 2 }],
    ["modalities", { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } }],
    ["prediction", { prediction: { type: "content", content: "x" } }],
    ["moderation", { moderation: { model: "m" } }],
  ])("is refused by its name: %s", (name, fields) => {
    expect(refusal(fields)).toBe(name);
  });

  test("is no matter where it asks for nothing", () => {
    const nothing = {
      logit_bias: {},
      logprobs: false,
      top_logprobs: null,
      modalities: ["text"],
      prediction: null,
      moderation: null,
    };
    expect(decode(nothing).ignored).toEqual([]);
  });

  test("is told to the client where it is only a hint", () => {
    const { ignored } = decode({
      search_parameters: { mode: "on" },
      plugins: [{ id: "web" }],
      enable_search: true,
      prompt_cache_options: { mode: "explicit" },
      prompt_cache_retention: "24h",
      stream_options: { include_usage: true, include_obfuscation: true },
      messages: [
        { role: "user", name: "ann", content: "a" },
        { role: "user", name: "bob", content: "b" },
      ],
    });
    expect(ignored).toEqual([
      "messages.name",
      "search_parameters",
      "plugins",
      "enable_search",
      "prompt_cache_options",
      "prompt_cache_retention",
      "stream_options.include_obfuscation",
    ]);
  });
});

test("X-P13 fields that nobody knows cause no error", () => {
  expect(decode({ frobnicate: { deep: [1] }, chat_template_kwargs: {} }).ignored).toEqual([]);
});
