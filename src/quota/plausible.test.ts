import { describe, expect, test } from "bun:test";
import { clampImageTokens, clampUsage, isBelievable, isLengthBelievable } from "./plausible.ts";

const bound = { inputTokensMax: 1000, outputTokensMax: 400, mediaTokensMax: 0 };
const usage = {
  inputTokens: 10,
  outputTokens: 20,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

describe("a usage", () => {
  test("that can be stays the same, up to the slack", () => {
    const most = { ...usage, inputTokens: 3298, outputTokens: 756, cacheReadTokens: 3298 };
    for (const told of [usage, most]) {
      expect(clampUsage(told, bound)).toBe(told);
      expect(isBelievable(told, clampUsage(told, bound))).toBe(true);
    }
  });

  test("of a picture that a small model counts for much stays the same", () => {
    const told = { ...usage, inputTokens: 48_169 };
    const pictured = { ...bound, inputTokensMax: 5096, mediaTokensMax: 4096 };
    expect(clampUsage(told, pictured)).toBe(told);
    expect(clampUsage(told, bound)).not.toBe(told);
  });

  test("of more output than can be becomes the most of it, with its parts", () => {
    const told = { ...usage, outputTokens: 1e8, reasoningTokens: 1e8 };
    const clamped = clampUsage(told, bound);
    expect(clamped).toEqual({ ...usage, outputTokens: 756, reasoningTokens: 756 });
    expect(isBelievable(told, clamped)).toBe(false);
  });

  test("of more input than can be becomes the most of it, with its parts", () => {
    const told = { ...usage, inputTokens: 1e8, cacheReadTokens: 3000, cacheWriteTokens: 500 };
    const clamped = clampUsage(told, bound);
    const parts = { cacheReadTokens: 3000, cacheWriteTokens: 298 };
    expect(clamped).toEqual({ ...usage, inputTokens: 3298, ...parts });
    expect(isBelievable(told, clamped)).toBe(false);
  });

  test("of what tools fetched is bounded together with the input", () => {
    const told = { ...usage, inputTokens: 298, fetchedTokens: 5000 };
    const clamped = clampUsage(told, bound);
    expect(clamped).toEqual({ ...usage, inputTokens: 298, fetchedTokens: 3000 });
    expect(isBelievable(told, clamped)).toBe(false);
  });

  test("of thoughts past the bound is believed, and clamped all the same", () => {
    const told = { ...usage, outputTokens: 20_100, reasoningTokens: 20_000 };
    const clamped = clampUsage(told, bound);
    expect(clamped.outputTokens).toBe(756);
    expect(isBelievable(told, clamped)).toBe(true);
    const longer = { ...told, outputTokens: 21_000 };
    expect(isBelievable(longer, clampUsage(longer, bound))).toBe(false);
  });
});

test("images take at most what as many can, and the slack", () => {
  const most = { inputTokens: 100, outputTokens: 1000 };
  const counted = { inputTokens: 2298, outputTokens: 2756 };
  expect(clampImageTokens(counted, most, 2)).toBe(counted);
  expect(clampImageTokens({ inputTokens: 1e9, outputTokens: 1e9 }, most, 2)).toEqual(counted);
});

test("a film may be a little longer than was asked for, and not twice as long", () => {
  expect([5, 5.04, 7.25].every((told) => isLengthBelievable(told, 5))).toBe(true);
  expect([7.26, 10, 1e9].some((told) => isLengthBelievable(told, 5))).toBe(false);
});
