import { expect, test } from "bun:test";
import { imageResolution, readPixels, sizeIn } from "./size.ts";

test("a size is a text; anything else is one that no model makes", () => {
  expect(sizeIn({ size: "1024x1024" })).toBe("1024x1024");
  expect(sizeIn({ size: 1024 })).toBe("?");
  expect(sizeIn({ size: ["1024x1024"] })).toBe("?");
  for (const size of ["", null, undefined]) expect(sizeIn({ size })).toBeNull();
});

test("sides, area and ratio are bounded", () => {
  const limits = {
    pixels: { min: 100, max: 400 },
    area: { min: 15_000, max: 90_000 },
    ratioMax: 2,
  };
  const isTaken = (size: string) => readPixels(size, limits) !== null;
  expect(["100x150", "150x100", "100x200", "300x300", "200x400"].every(isTaken)).toBe(true);
  expect(["99x198", "100x149", "100x201", "301x300", "225x401", "16:9", ""].some(isTaken)).toBe(
    false,
  );
  expect(readPixels("100x150", limits)).toEqual({ width: 100, height: 150 });
});

test("what vendors call 1K, 2K and 4K has many shapes", () => {
  const resolution = (text: string) => {
    const [width = 0, height = 0] = text.split("x").map(Number);
    return imageResolution({ width, height });
  };
  expect(["256x256", "1024x1024", "1536x1152", "1920x1080"].map(resolution)).toEqual(
    Array.from({ length: 4 }, () => "1k"),
  );
  expect(["2048x1152", "2048x2048", "2560x1712", "3168x1344"].map(resolution)).toEqual(
    Array.from({ length: 4 }, () => "2k"),
  );
  expect(["3840x2160", "2880x2880", "4096x4096"].map(resolution)).toEqual(
    Array.from({ length: 3 }, () => "4k"),
  );
});
