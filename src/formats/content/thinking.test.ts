import { describe, expect, test } from "bun:test";
import type { Effort, Reasoning } from "../exchange.ts";
import { needsSignatures } from "../../catalogue/rules/gemini.ts";
import { writeThinking } from "./thinking.ts";

function think(model: string, reasoning: Partial<Reasoning>, outputTokensMax: number = 10_000) {
  const whole = { effort: null, budgetTokens: null, isShown: false, ...reasoning };
  return writeThinking(whole, { model, outputTokensMax });
}

const efforts: Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

describe("how thinking is asked for", () => {
  test("newer models are told a level, the larger of them never to stop", () => {
    const levels = (model: string) =>
      efforts.map((effort) => think(model, { effort })?.["thinkingLevel"]);
    expect(levels("gemini-3-flash-preview")).toEqual([
      "MINIMAL",
      "MINIMAL",
      "LOW",
      "MEDIUM",
      "HIGH",
      "HIGH",
      "HIGH",
    ]);
    expect(levels("models/gemini-3.1-pro").slice(0, 3)).toEqual(["LOW", "LOW", "LOW"]);
  });

  test("a budget becomes a level there, never both", () => {
    const level = (budgetTokens: number) => think("gemini-3-pro", { budgetTokens });
    expect([0, 2000, 8000, 20_000].map(level)).toEqual([
      { thinkingLevel: "LOW" },
      { thinkingLevel: "LOW" },
      { thinkingLevel: "MEDIUM" },
      { thinkingLevel: "HIGH" },
    ]);
  });

  test("older models are told a share of the output, at least 1024", () => {
    const budgets = (model: string) =>
      efforts.map((effort) => think(model, { effort }, 100_000)?.["thinkingBudget"]);
    expect(budgets("gemini-2.5-flash")).toEqual([0, 2000, 10_000, 24_576, 24_576, 24_576, 24_576]);
    expect(budgets("gemini-2.5-pro")).toEqual([128, 2000, 10_000, 30_000, 32_768, 32_768, 32_768]);
    expect(budgets("my-own-name")).toEqual(budgets("gemini-2.5-flash"));
    expect(think("gemini-2.5-flash", { effort: "low" }, 2000)).toEqual({ thinkingBudget: 1024 });
    expect(think("gemini-2.5-flash", { effort: "low" }, 600)).toEqual({ thinkingBudget: 450 });
  });

  test("X-H10 a budget fits inside the output, within what the model takes", () => {
    const budget = (model: string, budgetTokens: number, bound: number) =>
      think(model, { budgetTokens }, bound)?.["thinkingBudget"];
    expect(budget("gemini-2.5-flash", 5000, 1000)).toBe(999);
    expect(budget("gemini-2.5-flash-lite", 5000, 300)).toBe(0);
    expect(budget("gemini-2.5-pro", 5, 1000)).toBe(128);
    expect(budget("gemini-3-pro-image", 99_999, 65_536)).toBe(32_768);
    expect(think("gemini-2.5-flash", { effort: "max" }, 10)).toEqual({ thinkingBudget: 9 });
  });

  test("thoughts are shown unless the client does not want them or there are none", () => {
    expect(think("gemini-3-pro", { isShown: true })).toEqual({ includeThoughts: true });
    expect(think("gemini-3-pro", { isShown: null, effort: "low" })).toEqual({
      includeThoughts: true,
      thinkingLevel: "LOW",
    });
    expect(think("gemini-2.5-flash", { isShown: true, effort: "none" })).toEqual({
      thinkingBudget: 0,
    });
  });

  test("models that do not think are told nothing", () => {
    expect(think("gemini-2.0-flash", { effort: "high" })).toBeNull();
    expect(think("gemini-1.5-pro", { effort: "high" })).toBeNull();
  });
});

test.each([
  ["gemini-3-pro", true],
  ["gemini-3.5-flash", true],
  ["gemini-10-pro", true],
  ["gemini-flash-latest", true],
  ["my-own-name", true],
  ["gemini-2.5-pro", false],
  ["models/gemini-1.5-flash", false],
  ["gemma-3-27b-it", false],
])("models from the third on, and unknown ones, check the signatures of calls: %s", (model, is) => {
  expect(needsSignatures(model)).toBe(is);
});
