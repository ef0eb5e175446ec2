import { expect, test } from "bun:test";
import { progressText } from "./progress.ts";

test.each([
  [0, 2000, "0 %"],
  [0.25, 30_000, "25 %, 30 s so far, about 90 s to go"],
  [0.999, 100_000, "99 %, 100 s so far, about 0 s to go"],
])("a month of which %p is lived in %p ms", (share, elapsedMs, text) => {
  expect(progressText(share, elapsedMs)).toBe(text);
});
