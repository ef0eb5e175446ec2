import { expect, test } from "bun:test";
import fc from "fast-check";
import { AssertionError } from "../core/assert.ts";
import { Counter, Family, Histogram } from "./instruments.ts";

function counters(...caps: number[]): Family<Counter> {
  const labels = caps.map((valuesMax, at) => ({ name: `label${at}`, valuesMax }));
  return new Family(labels, () => new Counter());
}

test("a counter adds one, or what it is told", () => {
  const counter = new Counter();
  counter.add();
  counter.add(41);
  expect(counter.value).toBe(42);
});

test("a counter ignores what would make it go back or lose its number", () => {
  const counter = new Counter();
  for (const by of [-1, 0, Number.NaN, Number.POSITIVE_INFINITY]) counter.add(by);
  expect(counter.value).toBe(0);
});

test("a histogram counts a value in the bucket whose bound it does not exceed", () => {
  const histogram = new Histogram([1, 5, 10]);
  for (const value of [0, 1, 1.5, 5, 10, 11, 1000]) histogram.observe(value);
  expect(histogram.cumulative).toEqual([2, 4, 5, 7]);
  expect(histogram.sum).toBe(1028.5);
});

test("a histogram ignores what is not a length of time", () => {
  const histogram = new Histogram([1]);
  for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY]) histogram.observe(value);
  expect(histogram.cumulative).toEqual([0, 0]);
  expect(histogram.sum).toBe(0);
});

test("bounds that do not rise are a bug", () => {
  expect(() => new Histogram([1, 1])).toThrow(AssertionError);
  expect(() => new Histogram([2, 1])).toThrow(AssertionError);
});

test("the same values give the same child, other values another", () => {
  const family = counters(10, 10);
  expect(family.with("a", "b")).toBe(family.with("a", "b"));
  expect(family.with("a", "b")).not.toBe(family.with("b", "a"));
});

test("a family without labels has one child", () => {
  const family = counters();
  expect(family.with()).toBe(family.with());
});

test("values past the cap are counted together as other", () => {
  const family = counters(2);
  for (const value of ["a", "b", "c", "d", "c", "a"]) family.with(value).add();
  const counted = Array.from(family.members(), ({ values, child }) => [values[0], child.value]);
  expect(counted).toEqual([
    ["a", 2],
    ["b", 1],
    ["other", 3],
  ]);
});

test("a value that is called other takes no room and joins the rest", () => {
  const family = counters(1);
  const other = family.with("other");
  expect(family.with("a")).not.toBe(other);
  expect(family.with("b")).toBe(other);
});

test("each label has its own cap", () => {
  const family = counters(1, 2);
  family.with("a", "x");
  family.with("b", "y");
  family.with("c", "z");
  const values = Array.from(family.members(), (member) => member.values);
  expect(values).toEqual([
    ["a", "x"],
    ["other", "y"],
    ["other", "other"],
  ]);
});

test("a wrong number of values is a bug", () => {
  const family = counters(5, 5);
  family.with("a", "b");
  expect(() => family.with("a")).toThrow(AssertionError);
  expect(() => family.with("a\u0000b")).toThrow(AssertionError);
  expect(() => family.with("a", "b", "c")).toThrow(AssertionError);
});

test("whatever values come, the children stay bounded and nothing is lost", () => {
  const text = fc.string({ maxLength: 3, unit: fc.constantFrom("a", "b", "c", "\u0000", '"') });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 200 }), (pairs) => {
      const family = counters(3, 4);
      for (const [first, second] of pairs) family.with(first, second).add();
      const members = Array.from(family.members());
      expect(members.length).toBeLessThanOrEqual(4 * 5);
      expect(members.reduce((sum, { child }) => sum + child.value, 0)).toBe(pairs.length);
    }),
  );
});
