import { describe, expect, test } from "bun:test";
import type { Effort, Reasoning } from "../../exchange.ts";
import { claudeRulesOf } from "../../../catalogue/rules/claude.ts";
import { encodeThinking, type Thinking } from "./thinking.ts";

function think(model: string, set: Partial<Reasoning>, maxTokens: number = 10_000): Thinking {
  const reasoning = { effort: null, budgetTokens: null, isShown: null, ...set };
  return encodeThinking({
    reasoning,
    capabilities: claudeRulesOf(model),
    maxTokens,
    isBarred: false,
  });
}

describe("an effort", () => {
  test.each<[Effort, string]>([
    ["minimal", "low"],
    ["low", "low"],
    ["medium", "medium"],
    ["high", "high"],
    ["xhigh", "xhigh"],
    ["max", "max"],
  ])("T7 %s is told to newer models as %s", (effort, word) => {
    expect(think("claude-opus-5", { effort })).toEqual({
      thinking: { type: "adaptive" },
      effort: word,
      isLeftOut: false,
    });
  });

  test.each<[Effort, number]>([
    ["minimal", 1024],
    ["low", 1024],
    ["medium", 3000],
    ["high", 6000],
    ["xhigh", 9000],
    ["max", 9500],
  ])("T7 %s is a budget of %d of 10000 tokens to older models", (effort, budget) => {
    expect(think("claude-sonnet-4-5", { effort }).thinking).toEqual({
      type: "enabled",
      budget_tokens: budget,
    });
  });

  test("that a model does not know is the next it knows", () => {
    expect(think("claude-opus-4-6", { effort: "xhigh" }).effort).toBe("max");
    expect(think("claude-opus-4-5", { effort: "max" })).toMatchObject({
      thinking: { type: "enabled" },
      effort: "high",
    });
  });

  test("is left out on models that do not think", () => {
    expect(think("claude-3-5-haiku-latest", { effort: "high" })).toEqual({
      thinking: null,
      effort: null,
      isLeftOut: true,
    });
  });
});

describe("no reasoning", () => {
  test("T7 is switched off in each model's own way", () => {
    const off = (model: string) => think(model, { effort: "none" });
    expect(off("claude-sonnet-4-5").thinking).toEqual({ type: "disabled" });
    expect(off("claude-opus-4-6").thinking).toEqual({ type: "disabled" });
    expect(off("claude-sonnet-5-5").thinking).toEqual({ type: "between_tools" });
    expect(off("claude-opus-5-5")).toEqual({ thinking: null, effort: "low", isLeftOut: false });
    expect(off("claude-3-opus-20240229")).toEqual({
      thinking: null,
      effort: null,
      isLeftOut: false,
    });
  });

  test("is what a budget of 0 means", () => {
    expect(think("claude-opus-4-6", { budgetTokens: 0 }).thinking).toEqual({ type: "disabled" });
  });
});

describe("a budget", () => {
  test("X-H10 is cut to what leaves room for an answer, and raised to the least there is", () => {
    const budget = (tokens: number, maxTokens: number) =>
      think("claude-sonnet-4-5", { budgetTokens: tokens }, maxTokens).thinking?.["budget_tokens"];
    expect(budget(5000, 4000)).toBe(3999);
    expect(budget(10, 4000)).toBe(1024);
    expect(budget(5000, 1024)).toBeUndefined();
    expect(budget(5000, 1025)).toBe(1024);
    expect(budget(-1, 10_000)).toBe(3000);
  });

  test.each([
    [500, "low"],
    [8000, "medium"],
    [20_000, "high"],
    [60_000, "xhigh"],
    [-1, null],
  ])("of %d is told to newer models as %s", (budgetTokens, word) => {
    expect(think("claude-opus-5", { budgetTokens }).effort).toBe(word);
  });
});

test("who wants to read the thoughts, or does not, says so", () => {
  expect(think("claude-opus-5", { isShown: true }).thinking).toEqual({
    type: "adaptive",
    display: "summarized",
  });
  expect(think("claude-opus-5", { isShown: false }).thinking).toEqual({
    type: "adaptive",
    display: "omitted",
  });
  expect(think("claude-sonnet-4-5", { isShown: true }).thinking).toMatchObject({
    display: "summarized",
  });
});
