import { expect, test } from "bun:test";
import { pathOf } from "./line-path.ts";

const place = (at: number) => `${at} 0`;

test("a value that has no neighbour is drawn as a mark", () => {
  expect(pathOf([null, null, 7], place, true)).toMatch(/^M2 0m0-2l/);
  expect(pathOf([5], place, false)).toMatch(/^M0 0m0-2l/);
  expect(pathOf([1, 2, null, 4], place, false)).toMatch(/^M0 0L1 0M3 0m0-2l/);
});

test("values beside each other are one line, without the last while it is open", () => {
  expect(pathOf([1, 2, 3], place, false)).toBe("M0 0L1 0L2 0");
  expect(pathOf([1, 2, 3], place, true)).toBe("M0 0L1 0");
  expect(pathOf([null, 2, 3, null], place, true)).toBe("M1 0L2 0");
  expect(pathOf([null, null], place, true)).toBe("");
});
