import { expect, test } from "bun:test";
import { fromUnified } from "./unified.ts";

test("V-U1 the prompt may be left out", () => {
  expect(fromUnified({ model: "m", image: "i" })).toEqual({ model: "m", image: "i", prompt: "" });
  expect(fromUnified({ model: "m", prompt: "p", size: "1:1" })).toEqual({
    model: "m",
    prompt: "p",
    size: "1:1",
  });
});

test("V-U1 a size becomes the family's own fields, which count more where they are given", () => {
  const read = (size: string) => ({ ratio: size });
  expect(fromUnified({ prompt: "p", size: "1:1" }, read)).toEqual({ prompt: "p", ratio: "1:1" });
  expect(fromUnified({ prompt: "p", size: "1:1", ratio: "3:4" }, read)).toEqual({
    prompt: "p",
    ratio: "3:4",
  });
  expect(fromUnified({ prompt: "p", size: 7 }, read)).toEqual({ prompt: "p", size: 7 });
  expect(fromUnified({ prompt: "p" }, read)).toEqual({ prompt: "p" });
});
