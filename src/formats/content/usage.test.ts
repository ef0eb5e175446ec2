import { expect, test } from "bun:test";
import { readContentUsage, writeContentUsage } from "./usage.ts";

const nothing = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

test("thoughts are part of the output, cached tokens part of the input", () => {
  expect(
    readContentUsage({
      promptTokenCount: 10,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 7,
      totalTokenCount: 22,
    }),
  ).toEqual({
    inputTokens: 10,
    outputTokens: 12,
    cacheReadTokens: 4,
    cacheWriteTokens: 0,
    reasoningTokens: 7,
  });
});

test("X-U23 tokens of what Google fetched itself are counted beside input and output", () => {
  expect(
    readContentUsage({
      promptTokenCount: 10,
      toolUsePromptTokenCount: 500,
      candidatesTokenCount: 5,
      totalTokenCount: 515,
    }),
  ).toEqual({ inputTokens: 10, outputTokens: 5, ...nothing, fetchedTokens: 500 });
  expect(
    readContentUsage({ promptTokenCount: 10, toolUsePromptTokenCount: 500, totalTokenCount: 515 }),
  ).toEqual({ inputTokens: 10, outputTokens: 5, ...nothing, fetchedTokens: 500 });
});

test("X-U24 counts that are left out are zero or follow from the total", () => {
  const of = readContentUsage;
  expect(of({ promptTokenCount: 3, totalTokenCount: 3 })).toMatchObject({
    inputTokens: 3,
    outputTokens: 0,
  });
  expect(of({ promptTokenCount: 3, totalTokenCount: 9 })).toMatchObject({ outputTokens: 6 });
  expect(of({ candidatesTokenCount: 2, totalTokenCount: 9 })).toMatchObject({
    inputTokens: 7,
    outputTokens: 2,
  });
  expect(of({ promptTokenCount: 3, thoughtsTokenCount: 4 })).toMatchObject({ outputTokens: 4 });
  expect(of({ promptTokenCount: 3 })).toBeNull();
  expect(of({ candidatesTokenCount: 3 })).toBeNull();
  expect(of({ promptTokenCount: -1, candidatesTokenCount: "5" })).toBeNull();
  expect(of({})).toBeNull();
  expect(of(undefined)).toBeNull();
});

test("a usage that is written reads the same", () => {
  const usage = {
    inputTokens: 10,
    outputTokens: 12,
    cacheReadTokens: 4,
    cacheWriteTokens: 0,
    reasoningTokens: 7,
  };
  expect(writeContentUsage(usage)).toEqual({
    promptTokenCount: 10,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 7,
    cachedContentTokenCount: 4,
    totalTokenCount: 22,
  });
  expect(readContentUsage(writeContentUsage(usage))).toEqual(usage);
});
