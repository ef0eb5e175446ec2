import { describe, expect, test } from "bun:test";
import { changesBound, withLowerBound, withoutBound } from "./mend-bound.ts";

const fault = { blame: "request", status: 400, type: "t", code: null, param: null } as const;

describe("a refused bound", () => {
  test.each([
    [{ max_tokens: 9, model: "m" }, { model: "m" }],
    [{ max_completion_tokens: 9, max_tokens: 9 }, {}],
    [{ max_output_tokens: 9 }, {}],
    [{ generationConfig: { maxOutputTokens: 9, seed: 1 } }, { generationConfig: { seed: 1 } }],
  ])("is left out: %j", (body, left) => {
    const message = "max_tokens is too large";
    expect(withoutBound(body, { ...fault, message })).toEqual(left);
    expect(withoutBound(body, { ...fault, param: "max_output_tokens", message: "No." })).toEqual(
      left,
    );
  });

  test("is not looked for where the refusal is about something else", () => {
    const body = { max_tokens: 9 };
    expect(withoutBound(body, { ...fault, message: "temperature is too high" })).toBeNull();
    expect(withoutBound(body, { ...fault, status: 413, message: "max_tokens" })).toBeNull();
    expect(withoutBound({ model: "m" }, { ...fault, message: "max_tokens" })).toBeNull();
  });
});

test("an operator may change the bound by any of its names", () => {
  expect(changesBound(["temperature", "max_output_tokens"])).toBe(true);
  expect(changesBound(["generationConfig"])).toBe(true);
  expect(changesBound(["temperature"])).toBe(false);
});

test("a bound that the wire demands is lowered to what the vendor names", () => {
  const refused = (message: string) => ({ ...fault, message });
  const body = { max_tokens: 100_000 };
  const said = "max_tokens: 100000 > 64,000, which is the maximum allowed for m-4";
  expect(withLowerBound(body, refused(said))).toEqual({ max_tokens: 64_000 });
  expect(withLowerBound(body, refused("max_tokens is too large"))).toBeNull();
  expect(withLowerBound(body, refused("temperature: 2 > 1"))).toBeNull();
  const thinking = { type: "enabled", budget_tokens: 64_000 };
  expect(withLowerBound({ ...body, thinking }, refused(said))).toBeNull();
});
