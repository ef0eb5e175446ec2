import { expect, test } from "bun:test";
import { classPixels, ratioOf, readRatio, sidesOf, sizeText } from "./picture-shape.ts";

test("a ratio is two whole numbers", () => {
  expect(readRatio("16:9")).toEqual({ across: 16, down: 9 });
  for (const text of ["", "16", "16:0", "0:9", "1.5:1", "16x9", " 16:9", "16:9:1"]) {
    expect(readRatio(text)).toBeNull();
  }
});

test("the ratio of a size has the lowest terms", () => {
  expect(ratioOf({ width: 1920, height: 1080 })).toEqual({ across: 16, down: 9 });
  expect(ratioOf({ width: 7, height: 7 })).toEqual({ across: 1, down: 1 });
});

test("a class stands for the pixels of a square", () => {
  expect(["1K", "2k", "4K", "512"].map(classPixels)).toEqual([
    1024 ** 2,
    2048 ** 2,
    4096 ** 2,
    512 ** 2,
  ]);
  expect(["", "K", "0K", "1080p", "auto", "12"].map(classPixels)).toEqual(Array(6).fill(null));
});

test("sides follow from a ratio and the count of pixels", () => {
  expect(sidesOf({ across: 4, down: 1 }, 1024 ** 2)).toEqual({ width: 2048, height: 512 });
  expect(sizeText({ width: 2048, height: 512 })).toBe("2048x512");
});
