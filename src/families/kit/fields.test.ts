import { describe, expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import {
  isLonger,
  pick,
  readChoice,
  readDecimal,
  readList,
  readObjectField,
  readPrompt,
  readSeed,
  readTextField,
  readTruth,
  readWhole,
} from "./fields.ts";
import { bad, refusalOf } from "./fixtures/refusals.ts";

const range = { min: 4, max: 15 };

test("the first name that says something counts; null and the empty text say nothing", () => {
  expect(pick({ a: null, b: "", c: 0, d: 1 }, ["a", "b", "c", "d"])).toEqual({
    param: "c",
    value: 0,
  });
  expect(pick({ a: null, b: "" }, ["a", "b", "z"])).toBeNull();
  expect(pick({ a: false }, ["a"])).toEqual({ param: "a", value: false });
});

test("V-0 a prompt must be there and be text", () => {
  expect(readPrompt({ prompt: "a cat" })).toBe("a cat");
  expect(readPrompt({ prompt: "" })).toBe("");
  expect(refusalOf(() => readPrompt({}))).toEqual(bad("prompt"));
  expect(refusalOf(() => readPrompt({ prompt: null }))).toEqual(bad("prompt"));
  expect(refusalOf(() => readPrompt({ prompt: 7 }))).toEqual(bad("prompt"));
});

describe("whole numbers", () => {
  test.each<[Json, number]>([
    [4, 4],
    ["4", 4],
    [15, 15],
    ["15", 15],
  ])("%j is taken", (value, expected) => {
    expect(readWhole({ seconds: value }, ["seconds"], range)).toBe(expected);
  });

  test.each(
    [
      3,
      16,
      "3",
      "16",
      4.5,
      "4.5",
      "1e1",
      "0x5",
      " 5 ",
      "05",
      "+5",
      "five",
      "999999999999999999999",
      true,
      [],
      {},
      -5,
    ].map((value): [Json] => [value]),
  )("%j is refused", (value) => {
    expect(refusalOf(() => readWhole({ seconds: value }, ["seconds"], range))).toEqual(
      bad("seconds"),
    );
  });

  test("nothing is nothing, and the refusal has the name that was used", () => {
    expect(readWhole({}, ["seconds"], range)).toBeNull();
    expect(refusalOf(() => readWhole({ duration: 1 }, ["seconds", "duration"], range))).toEqual(
      bad("duration"),
    );
  });
});

test("a decimal may have a fraction and nothing else", () => {
  expect(readDecimal({ duration: 5.5 }, ["duration"], range)).toBe(5.5);
  expect(readDecimal({ duration: "5.5" }, ["duration"], range)).toBe(5.5);
  expect(readDecimal({}, ["duration"], range)).toBeNull();
  for (const duration of ["5.", ".5", "1e1", Infinity, "Infinity", 15.01, 3.99, "x"]) {
    expect(refusalOf(() => readDecimal({ duration }, ["duration"], range))).toEqual(
      bad("duration"),
    );
  }
});

test("a truth has three values", () => {
  expect(readTruth({ on: true }, ["on"])).toBe(true);
  expect(readTruth({ on: "true" }, ["on"])).toBe(true);
  expect(readTruth({ on: false }, ["on"])).toBe(false);
  expect(readTruth({ on: "false" }, ["on"])).toBe(false);
  expect(readTruth({}, ["on"])).toBeNull();
  expect(readTruth({ on: null }, ["on"])).toBeNull();
  for (const on of [0, 1, "yes", [], {}]) {
    expect(refusalOf(() => readTruth({ on }, ["on"]))).toEqual(bad("on"));
  }
});

test("a choice is taken in any case and given in its own", () => {
  expect(readChoice({ mode: "PRO" }, ["mode"], ["std", "pro"])).toBe("pro");
  expect(readChoice({}, ["mode"], ["std", "pro"])).toBeNull();
  expect(refusalOf(() => readChoice({ mode: "max" }, ["mode"], ["std", "pro"]))).toEqual(
    bad("mode"),
  );
  expect(refusalOf(() => readTextField({ mode: 7 }, ["mode"]))).toEqual(bad("mode"));
});

test("a seed is a whole number, or -1 for any", () => {
  expect(readSeed({ seed: 0 })).toBe(0);
  expect(readSeed({ seed: "-1" })).toBe(-1);
  expect(readSeed({ seed: 4294967295 })).toBe(4294967295);
  expect(refusalOf(() => readSeed({ seed: 4294967296 }))).toEqual(bad("seed"));
  expect(refusalOf(() => readSeed({ seed: -2 }))).toEqual(bad("seed"));
});

test("objects and lists may come as JSON in a text, as forms send them", () => {
  expect(readObjectField({ metadata: '{"style":"noir"}' }, "metadata")).toEqual({ style: "noir" });
  expect(readObjectField({}, "metadata")).toBeNull();
  expect(readList({ content: "[1]" }, "content")).toEqual([1]);
  expect(readList({}, "content")).toBeNull();
  for (const metadata of ["{", "[]", [], 7, "[".repeat(70)]) {
    expect(refusalOf(() => readObjectField({ metadata }, "metadata"))).toEqual(bad("metadata"));
  }
  expect(refusalOf(() => readList({ content: {} }, "content"))).toEqual(bad("content"));
});

test("characters are counted as a reader counts them", () => {
  expect(isLonger("aaa", 3)).toBe(false);
  expect(isLonger("aaaa", 3)).toBe(true);
  expect(isLonger("🐈🐈🐈", 3)).toBe(false);
  expect(isLonger("🐈🐈🐈🐈", 3)).toBe(true);
});
