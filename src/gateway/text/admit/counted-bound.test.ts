import { expect, test } from "bun:test";
import { countedBound } from "./counted-bound.ts";

const bound = {
  inputTokensMax: 100_000 + 4096,
  outputTokensMax: 1000,
  mediaTokensMax: 4096,
  keptTokensMax: 0,
};
const text = { bodyBytes: 160_000, mediaBytes: 60_000 };

test("a count and 2,048 tokens stand in the place of the bytes, and media stay", () => {
  expect(countedBound(bound, text, 30_000)).toEqual({
    ...bound,
    heldTokensMax: 30_000 + 2048 + 4096,
  });
});

test("a count is never believed below a sixth of the bytes", () => {
  expect(countedBound(bound, text, 10)?.heldTokensMax).toBe(16_667 + 2048 + 4096);
});

test("a count that would hold more changes nothing", () => {
  expect(countedBound(bound, text, 97_952)).toBeNull();
  expect(countedBound(bound, text, 97_951)?.heldTokensMax).toBe(bound.inputTokensMax - 1);
  expect(countedBound(bound, { bodyBytes: 2400, mediaBytes: 0 }, 0)).toBeNull();
});
