import { expect, test } from "bun:test";
import { dropSampling } from "./sampling.ts";

const all = {
  temperature: 0.2,
  top_p: 0.5,
  top_k: 4,
  presence_penalty: 0,
  frequency_penalty: 0.5,
};

function drop(model: string, given: Record<string, number | null>, isReasoning: boolean = false) {
  const body = { ...given };
  const left = dropSampling(body, model, () => isReasoning);
  return { body, told: left.map(({ name }) => name) };
}

test("X-P10 a model that takes none gets none, and a penalty of 0 is not worth a word", () => {
  const told = ["temperature", "top_p", "top_k", "frequency_penalty"];
  for (const model of ["gpt-5", "o3", "claude-opus-4-7"]) {
    expect(drop(model, all)).toEqual({ body: {}, told });
  }
});

test("X-P10 of two that exclude each other the temperature stays", () => {
  expect(drop("claude-opus-4-6", { temperature: 0, top_p: 0 })).toEqual({
    body: { temperature: 0 },
    told: ["top_p"],
  });
  expect(drop("claude-opus-4-6", { top_p: 0, temperature: null })).toMatchObject({
    body: { top_p: 0 },
  });
});

test("X-P10 while it thinks a model takes what is next to nothing, and still only one of two", () => {
  const thinks = (model: string, given: Record<string, number>) => drop(model, given, true);
  expect(thinks("claude-sonnet-4-0", all).told).toEqual([
    "temperature",
    "top_p",
    "top_k",
    "frequency_penalty",
  ]);
  expect(thinks("claude-sonnet-4-0", { temperature: 1, top_p: 0.97 }).told).toEqual([]);
  expect(thinks("claude-opus-4-5", { temperature: 1, top_p: 0.97 }).told).toEqual(["top_p"]);
  expect(thinks("claude-opus-4-5", { temperature: 0.2, top_p: 0.97 }).told).toEqual([
    "temperature",
  ]);
  expect(thinks("gpt-5.4", { temperature: 1 }).told).toEqual(["temperature"]);
});

test("X-P09 what is not known to be refused stays as it is", () => {
  for (const model of ["gpt-4.1", "gpt-5.4", "some-model"]) {
    expect(drop(model, all)).toEqual({ body: all, told: [] });
  }
  expect(drop("gpt-5", { temperature: null })).toEqual({ body: { temperature: null }, told: [] });
});
