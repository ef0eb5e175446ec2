import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange } from "../exchange.ts";
import { refusedParam } from "../kit/fixtures/shapes.ts";
import { decodeCompletionsRequest } from "./decode-request.ts";
import { readCompletionsRequest } from "./read.ts";

function decode(fields: JsonObject): Exchange {
  const body = { model: "m", prompt: "Once", ...fields };
  return decodeCompletionsRequest(body, readCompletionsRequest(body));
}

function refusal(fields: JsonObject): string | null {
  return refusedParam(() => decode(fields));
}

test("a prompt is what one user says, answered in 16 tokens", () => {
  expect(decode({})).toMatchObject({
    model: "m",
    system: [],
    turns: [{ role: "user", parts: [{ kind: "text", text: "Once" }] }],
    outputTokensMax: 16,
    choices: 1,
    ignored: [],
  });
  expect(decode({ prompt: ["Once"] }).turns).toEqual(decode({}).turns);
});

test("X-P09 the other fields are chat's", () => {
  expect(
    decode({ max_tokens: 5, n: 2, temperature: 0, top_p: 0, seed: 1, stop: "\n", user: "u" }),
  ).toMatchObject({
    outputTokensMax: 5,
    choices: 2,
    sampling: { temperature: 0, topP: 0, seed: 1 },
    stop: ["\n"],
    hints: { userId: "u" },
    names: { userId: "user", choices: "n" },
  });
});

describe("what only an upstream of completions can do", () => {
  test.each<[string, JsonObject]>([
    ["prompt", { prompt: ["a", "b"] }],
    ["prompt", { prompt: [1, 2, 3] }],
    ["prompt", { prompt: [[1, 2], [3]] }],
    ["prompt", { prompt: "" }],
    ["echo", { echo: true }],
    ["suffix", { suffix: "end" }],
    ["best_of", { best_of: 2 }],
    ["logprobs", { logprobs: 0 }],
    ["logit_bias", { logit_bias: { 50256: -100 } }],
  ])("is refused by its name: %s in %j", (name, fields) => {
    expect(refusal(fields)).toBe(name);
  });

  test("is no matter where it asks for nothing", () => {
    const nothing = { echo: false, suffix: null, best_of: 1, logprobs: null, logit_bias: {} };
    expect(refusal(nothing)).toBeNull();
  });
});
