import { describe, expect, test } from "bun:test";
import { thoughtBoundsOf, withAnswerBound } from "./thought-bounds.ts";

const ark = thoughtBoundsOf("https://ark.cn-beijing.volces.com/api/v3");
const dashscope = thoughtBoundsOf("https://dashscope-intl.aliyuncs.com/compatible-mode/v1");

test("hazard B12 no other vendor's body is changed", () => {
  for (const url of ["https://api.openai.com/v1", "https://volces.com.example/v1", "nowhere"]) {
    expect(thoughtBoundsOf(url)).toBe(null);
  }
});

describe("Ark", () => {
  test.each([
    [{ max_tokens: 100 }, { max_completion_tokens: 100 }],
    [{ max_tokens: 65_536 }, { max_completion_tokens: 65_536 }],
    [{ max_tokens: 65_537 }, { max_tokens: 65_537 }],
    [{ max_completion_tokens: 9 }, { max_completion_tokens: 9 }],
    [
      { max_tokens: 5, thinking: { type: "disabled" } },
      { max_tokens: 5, thinking: { type: "disabled" } },
    ],
    [{}, {}],
  ])("hazard B12 %j bounds answer and thoughts as %j", (body, sent) => {
    const bounded = ark?.bounded(body, "doubao-seed-1-6-250615");
    expect(bounded?.body ?? body).toEqual(sent);
  });

  test("hazard B12 leaves models alone that do not think", () => {
    expect(ark?.bounded({ max_tokens: 100 }, "moonshot-v1")).toBe(null);
  });
});

describe("DashScope", () => {
  test.each([
    ["qwen3-32b", { max_tokens: 100 }, 100],
    ["qwen3.5-plus", { max_completion_tokens: 100 }, 100],
    ["qwen-plus", { max_tokens: 100, enable_thinking: true }, 100],
    ["qwen-plus", { max_tokens: 100 }, undefined],
    ["qwen3-max", { max_tokens: 100 }, undefined],
    ["qwen3-32b", { max_tokens: 100, enable_thinking: false }, undefined],
    ["qwen3-32b", { max_tokens: 40_000 }, undefined],
    ["qwen3-32b", {}, undefined],
    ["qwen3-32b", { max_tokens: 100, thinking_budget: 7000 }, 7000],
  ])("hazard B12 %s gets of %j a budget of %p", (model, body, budget) => {
    const bounded = dashscope?.bounded(body, model);
    const fields: Record<string, number | boolean> = body;
    expect(bounded?.body["thinking_budget"] ?? fields["thinking_budget"]).toBe(budget);
    const { max_tokens: own, max_completion_tokens: both } = fields;
    const bound = own ?? both;
    if (typeof bound === "number") {
      expect(dashscope?.besideTokensMax(body, model, bound)).toBe(budget ?? 0);
    }
  });
});

test("hazard B12 a model that does not know the bound for both takes the one on its answer", () => {
  const fault = { blame: "request", status: 400, type: "", code: null, param: null } as const;
  const body = { max_completion_tokens: 100 };
  const said = (message: string) => withAnswerBound(body, { ...fault, message });
  expect(said("max_completion_tokens is not supported by this model")).toEqual({ max_tokens: 100 });
  expect(said("max_completion_tokens must be at most 50")).toBe(null);
  expect(said("temperature is not supported")).toBe(null);
});
