import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { imageJob } from "../../../../test/harness/images/vendor.ts";
import { sizeText } from "../picture-shape.ts";
import { nearestSize, toVendorSize, wantedSize } from "./size.ts";

const flare = "gpt-image-2.5-flare";

function sizeOf(text: string) {
  const [width = 0, height = 0] = text.split("x").map(Number);
  return { width, height };
}

function mapped(text: string): string | undefined {
  const size = nearestSize(sizeOf(text));
  return size && sizeText(size);
}

describe("a size in pixels", () => {
  test.each(
    (
      "1024x1024 1536x1152 1536x1024 1024x1536 2048x2048 2048x1536 2560x1712 1712x2560 2048x1152 " +
      "1152x2048 2880x2880 3840x2160 2160x3840 1536x864 16x16 1008x3024"
    ).split(" "),
  )("that the vendor takes stays: %s", (text) => {
    expect(mapped(text)).toBe(text);
  });

  test.each([
    // The five of the table that the vendor refuses.
    ["1920x1080", "2048x1152"],
    ["1080x1920", "1152x2048"],
    ["3840x2880", "3264x2448"],
    ["3840x2560", "3504x2336"],
    ["2560x3840", "2336x3504"],
    // Keep the same ratio where one is near.
    ["1000x1000", "1008x1008"],
    ["4096x4096", "2880x2880"],
    ["900x1600", "864x1536"],
    // Side by side rounded where none is.
    ["300x301", "304x304"],
    ["1366x768", "1360x768"],
    ["1930x1080", "1936x1088"],
    // Too long a side.
    ["4096x1376", "3840x1296"],
  ])("that it refuses is mapped: %s becomes %s", (asked, made) => {
    expect(mapped(asked)).toBe(made);
  });

  test.each(["3088x1024", "100x301"])("that is too narrow has none: %s", (text) => {
    expect(mapped(text)).toBeUndefined();
  });

  test("is always mapped to one that the vendor takes, and of nearly the same shape", () => {
    const side = fc.integer({ min: 256, max: 4096 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        fc.pre(Math.max(width, height) / Math.min(width, height) <= 2.9);
        const made = nearestSize({ width, height });
        if (!made) return false;
        const isWhole = made.width % 16 === 0 && made.height % 16 === 0;
        const isWithin = made.width * made.height <= 8_294_400;
        const isShort = Math.max(made.width, made.height) <= 3840;
        const drift = (made.width * height) / (made.height * width);
        return isWhole && isWithin && isShort && drift > 0.94 && drift < 1.07;
      }),
    );
  });

  test("is its own image: what was mapped is mapped no further", () => {
    const side = fc.integer({ min: 256, max: 4096 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const made = nearestSize({ width, height });
        if (made) expect(nearestSize(made)).toEqual(made);
      }),
    );
  });
});

describe("a shape in other words", () => {
  test.each([
    [{}, null],
    [{ sizeClass: "1K" }, "1024x1024"],
    [{ sizeClass: "4K" }, "2880x2880"],
    [{ ratio: "16:9" }, "1280x720"],
    [{ ratio: "16:9", sizeClass: "2K" }, "2816x1584"],
    [{ ratio: "9:16", sizeClass: "4K" }, "2160x3840"],
  ])("%j is %p", (said, made) => {
    const size = toVendorSize(imageJob(said), flare);
    expect(size && sizeText(size)).toBe(made);
  });

  test.each([{ ratio: "21:5" }, { ratio: "wide" }, { sizeClass: "huge" }])(
    "%j cannot be made",
    (said) => {
      expect(wantedSize(imageJob(said))).toBeUndefined();
    },
  );
});

test.each([
  ["1920x1080", "1536x1024"],
  ["512x512", "1024x1024"],
  ["1080x1920", "1024x1536"],
])("the first models draw three sizes: %s becomes %s", (asked, made) => {
  const job = imageJob({ size: sizeOf(asked) });
  for (const model of ["gpt-image-1", "gpt-image-1.5", "gpt-image-1-mini"]) {
    expect(toVendorSize(job, model)).toEqual(sizeOf(made));
  }
  expect(toVendorSize(imageJob(), "gpt-image-1")).toBeNull();
});
