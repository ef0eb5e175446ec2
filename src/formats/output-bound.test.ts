import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../core/json.ts";
import { formats } from "./index.ts";

type Name = "chat" | "completions" | "responses" | "content";

function bound(name: Name, body: JsonObject): JsonObject {
  const own = structuredClone(body);
  formats[name].bound?.(own, 100);
  return own;
}

describe("the output that was paid for in advance bounds what a vendor is asked for", () => {
  test.each<[Name, JsonObject]>([
    ["chat", { max_tokens: 100 }],
    ["completions", { max_tokens: 100 }],
    ["responses", { max_output_tokens: 100 }],
    ["content", { generationConfig: { maxOutputTokens: 100 } }],
  ])("%s: where the client names none", (name, bounded) => {
    expect(bound(name, { other: 1 })).toEqual({ other: 1, ...bounded });
  });

  test.each<[Name, JsonObject, JsonObject]>([
    ["chat", { max_tokens: 0 }, { max_tokens: 100 }],
    ["chat", { max_tokens: null, max_completion_tokens: 30 }, { max_completion_tokens: 30 }],
    ["chat", { max_completion_tokens: 300 }, { max_completion_tokens: 100 }],
    ["chat", { max_tokens: 30 }, { max_tokens: 30 }],
    ["responses", { max_output_tokens: 300 }, { max_output_tokens: 100 }],
    [
      "content",
      { generation_config: { max_output_tokens: 300, seed: 1 } },
      { generationConfig: { maxOutputTokens: 100, seed: 1 } },
    ],
    [
      "content",
      { generationConfig: { maxOutputTokens: 0 } },
      { generationConfig: { maxOutputTokens: 100 } },
    ],
  ])("%s: %j becomes %j", (name, body, bounded) => {
    expect(bound(name, body)).toEqual(bounded);
  });
});
