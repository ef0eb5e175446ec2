import { expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import { WasteBudget, wastesMax } from "./waste-budget.ts";

const one = "one" as AccountId;
const two = "two" as AccountId;

test("hazard B19 an account wastes 20 answers, and then one in ten requests, alone", () => {
  const budget = new WasteBudget();
  const waste = (requests: number) => {
    let wasted = 0;
    for (let at = 0; at < requests; at++) {
      if (!budget.earn(one)) continue;
      budget.spend(one);
      wasted++;
    }
    return wasted;
  };
  expect(waste(wastesMax)).toBe(wastesMax);
  expect(waste(100)).toBeWithin(10, 14);
  expect(budget.earn(two)).toBe(true);
});
