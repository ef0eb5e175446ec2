import { expect, test } from "bun:test";
import { ticksUpTo } from "./ticks.ts";

test("the grid has round steps from zero to the first that is not below the greatest", () => {
  expect(ticksUpTo(9.2, 4)).toEqual([0, 2.5, 5, 7.5, 10]);
  expect(ticksUpTo(100, 4)).toEqual([0, 25, 50, 75, 100]);
  expect(ticksUpTo(3, 2)).toEqual([0, 2, 4]);
  expect(ticksUpTo(0, 4)).toEqual([0, 1]);
});
