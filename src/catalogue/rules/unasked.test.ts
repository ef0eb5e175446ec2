import { expect, test } from "bun:test";
import { mayThink, unaskedSearchesOf, unaskedTokensOf } from "./unasked.ts";

test.each([
  ["groq/compound", 131_072],
  ["compound-beta", 131_072],
  ["compound-beta-mini", 131_072],
  ["o3-deep-research", 200_000],
  ["openai/o4-mini-deep-research-2025-06-26", 200_000],
  ["compounding", 0],
  ["gpt-5.2", 0],
])("hazard B12 %s reads %i tokens unasked", (model, tokens) => {
  expect(unaskedTokensOf(model)).toBe(tokens);
});

test.each([
  ["sonar", 1],
  ["perplexity/sonar-pro", 1],
  ["sonar-deep-research", 30],
  ["perplexity/sonar-deep-research", 30],
  ["o3-deep-research", 0],
  ["gpt-5.2", 0],
  ["sonara", 0],
])("hazard B12 %s makes %i searches unasked that are counted", (model, searches) => {
  expect(unaskedSearchesOf(model)).toBe(searches);
});

test.each([
  ["deepseek-r1", true],
  ["deepseek-ai/DeepSeek-R1-0528", true],
  ["deepseek-reasoner", true],
  ["kimi-k2-thinking", true],
  ["qwen3-max", true],
  ["doubao-seed-1-6", true],
  ["gpt-4o-mini", false],
  ["claude-3-5-haiku", false],
  ["llama-3.3-70b-versatile", false],
])("hazard B12 %s may think: %p", (model, thinks) => {
  expect(mayThink(model)).toBe(thinks);
});
