import { expect, test } from "bun:test";
import { cutBetweenKeys } from "./batches.ts";

test("a batch ends between two keys, and holds more than its bound only for one key", () => {
  expect(cutBetweenKeys(["a", "b", "c"], 2)).toBe(2);
  expect(cutBetweenKeys(["a", "b", "b", "c"], 2)).toBe(1);
  expect(cutBetweenKeys(["a", "b", "b", "c"], 3)).toBe(3);
  expect(cutBetweenKeys(["a", "a", "a", "b"], 2)).toBe(3);
  expect(cutBetweenKeys(["a", "a", "a"], 2)).toBe(3);
  expect(cutBetweenKeys(["a", "b"], 2)).toBe(2);
});
