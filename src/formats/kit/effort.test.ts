import { expect, test } from "bun:test";
import type { Effort, Reasoning } from "../exchange.ts";
import { effortFor } from "./effort.ts";

function said(model: string, set: Partial<Reasoning>) {
  return effortFor({ effort: null, budgetTokens: null, isShown: null, ...set }, model);
}

test.each<[string, Effort, Effort]>([
  ["o3", "none", "low"],
  ["o3", "max", "high"],
  ["gpt-5", "none", "minimal"],
  ["gpt-5", "xhigh", "high"],
  ["gpt-5.1", "minimal", "low"],
  ["gpt-5.1", "none", "none"],
  ["gpt-5.2", "max", "xhigh"],
  ["gpt-5-pro", "low", "high"],
  ["some-model", "max", "max"],
])("X-H19 %s is told for %s: %s", (model, effort, word) => {
  expect(said(model, { effort })).toEqual({ effort: word, isLeftOut: false });
});

test("X-H19 what is left to the model is a word where the model would not reason without one", () => {
  expect(said("gpt-5.4", { isAdaptive: true }).effort).toBe("medium");
  expect(said("gpt-5.4", { isAdaptive: true, effort: "low" }).effort).toBe("low");
  expect(said("gpt-5.4", { isShown: true }).effort).toBeNull();
  expect(said("some-model", { isAdaptive: true }).effort).toBeNull();
});

test("a model that cannot reason is told nothing, which is told to who asked for it", () => {
  expect(said("gpt-4.1", { effort: "high" })).toEqual({ effort: null, isLeftOut: true });
  expect(said("gpt-4.1", { isAdaptive: true })).toEqual({ effort: null, isLeftOut: true });
  expect(said("gpt-4.1", { effort: "none" })).toEqual({ effort: null, isLeftOut: false });
  expect(said("gpt-4.1", { budgetTokens: 0 })).toEqual({ effort: null, isLeftOut: false });
});

test.each<[number, Effort | null]>([
  [0, "none"],
  [2048, "low"],
  [8192, "medium"],
  [24_576, "high"],
  [60_000, "xhigh"],
  [-1, null],
])("a budget of %d tokens is the effort %p", (budgetTokens, effort) => {
  expect(said("some-model", { budgetTokens }).effort).toBe(effort);
});
