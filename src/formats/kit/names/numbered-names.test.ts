import { expect, test } from "bun:test";
import { NumberedNames } from "./numbered-names.ts";

test("a name that is taken gets the next free number, also between names that look numbered", () => {
  const names = new NumberedNames((name, count) => `${name}_${count}`);
  const given = ["a", "a_3", "a", "a", "a_3", "b", "a_2", "a"];
  expect(given.map((name) => names.take(name))).toEqual([
    "a",
    "a_3",
    "a_2",
    "a_4",
    "a_3_2",
    "b",
    "a_2_2",
    "a_5",
  ]);
});

test("the work for one name is in proportion to how often it comes", () => {
  let written = 0;
  const names = new NumberedNames((name, count) => {
    written++;
    return `${name}_${count}`;
  });
  const taken = Array.from({ length: 2000 }, () => names.take("a"));
  expect(new Set(taken).size).toBe(2000);
  expect(written).toBeLessThan(4000);
});
