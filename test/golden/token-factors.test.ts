// Choice of the second look's factors, as far as it can be measured here: the tokenizers of four
// generations of models against the one that counts, over every request of the golden corpus; and
// the replies of that corpus, whose reports are by their vendors.
import { describe, expect, test } from "bun:test";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import * as p50k from "gpt-tokenizer/encoding/p50k_base";
import * as r50k from "gpt-tokenizer/encoding/r50k_base";
import { weighPrompt } from "../../src/gateway/text/meter/weigh-prompt.ts";
import { tokenPercentOf } from "../../src/catalogue/rules/token-factors.ts";

const golden = new URL("fixtures/", import.meta.url);
const wires = ["chat", "completions", "content", "messages", "responses"];
const plain = { disallowedSpecial: new Set<string>() };

async function read(path: string): Promise<Record<string, unknown>> {
  return await Bun.file(new URL(path, golden)).json();
}

/** All bodies of a wire as one, so that a ratio is of thousands of tokens. */
async function textOf(wire: string): Promise<string> {
  const bodies = Object.values(await read(`requests/${wire}.json`));
  return bodies.map((body) => weighPrompt(JSON.stringify(body), 0).text).join("\n");
}

describe("tokenizers of other models", () => {
  test.each(wires)("make at most a quarter more of a body of %s", async (wire) => {
    const text = await textOf(wire);
    const counted = o200k.countTokens(text, plain);
    for (const other of [cl100k, p50k, r50k]) {
      expect(other.countTokens(text, plain) / counted).toBeLessThanOrEqual(1.25);
    }
  });
});

describe("a family", () => {
  test.each([
    ["gpt-5.4", 125],
    ["openai/gpt-4o-mini", 125],
    ["o3-2025-04-16", 125],
    ["claude-opus-4-6-20260205", 175],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 175],
    ["gemini-3-pro-preview", 150],
    ["deepseek-chat", 150],
    ["qwen3-max", 150],
    ["kimi-k2.6", 150],
    ["glm-4.7", 150],
    ["llama-3.3-70b-instruct", 150],
    ["mistral-large-2512", 150],
    ["my-own-model", 200],
  ])("%s is taken for at most %d tokens for a hundred", (model, percent) => {
    expect(tokenPercentOf(model)).toBe(percent);
  });

  /** A conversation that is full was written by hand; all others are within the slack of 2,048. */
  test("has no report in the golden corpus that is long enough to measure by", async () => {
    const reported: number[] = [];
    for (const wire of ["chat", "content", "messages", "responses"]) {
      const text = JSON.stringify(await read(`replies/${wire}.json`));
      const counts = text.matchAll(/"(?:prompt_tokens|input_tokens|promptTokenCount)":(\d+)/g);
      reported.push(...[...counts].map(([, tokens]) => Number(tokens)));
    }
    expect(reported.length).toBeGreaterThan(50);
    expect(reported.filter((tokens) => tokens > 2048)).toEqual([199_990]);
  });
});
