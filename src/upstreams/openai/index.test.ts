// Bodies that an openai channel takes as they are, and fields it is spared.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { TextAsk } from "../upstream.ts";
import { openai } from "./index.ts";

test("a channel takes the formats of its dialect", () => {
  expect(openai.text?.formats(null)).toEqual(["chat", "completions", "embeddings"]);
  expect(openai.text?.formats("chat")).toEqual(["chat", "completions", "embeddings"]);
  expect(openai.text?.formats("responses")).toEqual(["responses", "embeddings"]);
  expect(openai.text?.formats("messages")).toEqual(["messages"]);
  expect(openai.text?.formats("content")).toEqual(["content"]);
});

describe("the bound on the output", () => {
  function adjusted(body: JsonObject, model: string, format: TextAsk["format"] = "chat") {
    const ask: TextAsk = { format, model, action: "generate", stream: false, wireHeaders: {} };
    return openai.text?.adjust?.(body, ask, "https://api.openai.com/v1");
  }

  test.each(["o1", "o3-mini", "o4-mini-2025", "gpt-5", "gpt-5.2-pro"])(
    "X-P06 has its new name for %s",
    (model) => {
      expect(adjusted({ model, max_tokens: 9 }, model)).toEqual({
        model,
        max_completion_tokens: 9,
      });
    },
  );

  test("X-P06 is the explicit one where both are given", () => {
    const both = { max_tokens: 9, max_completion_tokens: 5 };
    expect(adjusted(both, "o3")).toEqual({ max_completion_tokens: 5 });
    expect(adjusted({ max_tokens: 9, max_completion_tokens: null }, "o3")).toEqual({
      max_completion_tokens: 9,
    });
    expect(both).toEqual({ max_tokens: 9, max_completion_tokens: 5 });
  });

  test("X-P06 stays as it is for other models and formats", () => {
    const body = { max_tokens: 9 };
    for (const model of ["gpt-4.1", "omni-1", "olmo", "my-o3", "openai/gpt-5"]) {
      expect(adjusted(body, model)).toBe(body);
    }
    for (const format of ["completions", "messages"] as const) {
      expect(adjusted(body, "o3", format)).toBe(body);
    }
  });

  test("X-H16 is all that changes: an effort of none is still said", () => {
    const body = { reasoning_effort: "none", tools: [], max_tokens: 9 };
    expect(adjusted(body, "gpt-5.4")).toEqual({
      reasoning_effort: "none",
      tools: [],
      max_completion_tokens: 9,
    });
    const unbound = { reasoning_effort: "none" };
    expect(adjusted(unbound, "gpt-5.4")).toBe(unbound);
  });
});
