import { expect, test } from "bun:test";
import { bad, refusalOf } from "./fixtures/refusals.ts";
import {
  isRatio,
  nearestRatio,
  parseSize,
  readRatioField,
  readResolution,
  readSizeHint,
  resolutionOf,
  sixRatios,
  pixelText,
} from "./shape.ts";

test("a size is two numbers of pixels", () => {
  expect(parseSize("1280x720")).toEqual({ width: 1280, height: 720 });
  expect(parseSize("1280X720")).toEqual({ width: 1280, height: 720 });
  for (const text of ["16:9", "1280", "1280x", "x720", "0x720", "12800x720", "1280x720 ", "a"]) {
    expect(parseSize(text)).toBeNull();
  }
  expect(pixelText({ width: 1280, height: 720 })).toBe("1280x720");
  expect(pixelText(null)).toBeNull();
});

test.each([
  [{ width: 1280, height: 720 }, "16:9"],
  [{ width: 864, height: 496 }, "16:9"],
  [{ width: 720, height: 1280 }, "9:16"],
  [{ width: 960, height: 960 }, "1:1"],
  [{ width: 752, height: 560 }, "4:3"],
  [{ width: 834, height: 1112 }, "3:4"],
  [{ width: 1470, height: 630 }, "21:9"],
])("%j is nearest to %s", (size, ratio) => {
  expect(nearestRatio(size, sixRatios)).toBe(ratio);
});

test.each([
  ["864x496", "480p"],
  ["640x640", "480p"],
  ["992x432", "480p"],
  ["1280x720", "720p"],
  ["720x1280", "720p"],
  ["960x960", "720p"],
  ["1470x630", "720p"],
  ["1920x1080", "1080p"],
  ["1792x1024", "1080p"],
  ["1440x1440", "1080p"],
  ["2560x1440", "2k"],
  ["3840x2160", "4k"],
])("%s is priced as %s", (text, resolution) => {
  const size = parseSize(text);
  expect(size && resolutionOf(size)).toBe(resolution);
});

test("a ratio is two small numbers, or one of a list", () => {
  expect(isRatio("16:9")).toBe(true);
  expect(isRatio("16x9")).toBe(false);
  expect(readRatioField({ ratio: "2:3" }, ["ratio"])).toBe("2:3");
  expect(readRatioField({}, ["ratio"])).toBeNull();
  expect(refusalOf(() => readRatioField({ ratio: "0:9" }, ["ratio"]))).toEqual(bad("ratio"));
  expect(readRatioField({ ratio: "21:9" }, ["ratio"], sixRatios)).toBe("21:9");
  expect(refusalOf(() => readRatioField({ ratio: "2:3" }, ["ratio"], sixRatios))).toEqual(
    bad("ratio"),
  );
});

test("a resolution is given in lower case", () => {
  expect(readResolution({ resolution: "720P" })).toBe("720p");
  expect(readResolution({ resolution: "4K" })).toBe("4k");
  expect(readResolution({})).toBeNull();
  for (const resolution of ["big", "3k", "72p", "1280x720", 720]) {
    expect(refusalOf(() => readResolution({ resolution }))).toEqual(bad("resolution"));
  }
  expect(readResolution({ resolution: "480P" }, ["480p"])).toBe("480p");
  expect(refusalOf(() => readResolution({ resolution: "720p" }, ["480p"]))).toEqual(
    bad("resolution"),
  );
});

test("a size may be no more than a hint", () => {
  expect(readSizeHint({}, sixRatios)).toEqual({ ratio: null, resolution: null });
  expect(readSizeHint({ size: "9:16" }, sixRatios)).toEqual({ ratio: "9:16", resolution: null });
  expect(readSizeHint({ size: "1920x1080" }, sixRatios)).toEqual({
    ratio: "16:9",
    resolution: "1080p",
  });
  expect(refusalOf(() => readSizeHint({ size: "large" }, sixRatios))).toEqual(bad("size"));
});
