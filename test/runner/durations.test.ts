import { expect, test } from "bun:test";
import { splitEvenly } from "./durations.ts";

test("parts take about as long as each other, and each file is in one", () => {
  const durations = { a: 9000, b: 5000, c: 4000, d: 100 };
  expect(splitEvenly(["a", "b", "c", "d"], 2, durations)).toEqual([
    ["a", "d"],
    ["b", "c"],
  ]);
  expect(splitEvenly(["a"], 3, durations)).toEqual([["a"]]);
});
