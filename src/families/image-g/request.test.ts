import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { imageG } from "./index.ts";

const making = { kind: "generate", isForm: false } as const;
const url = "https://example.com/a.png";

function parse(fields: JsonObject = {}) {
  return imageG.parse({ model: "imageG-4-0-250828", prompt: "a cat", ...fields }, making);
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

test("the vendor's name is the same model", () => {
  expect(parse({ model: "doubao-seedream-4-0-250828" }).model).toBe("imageG-4-0-250828");
  expect(refused({ model: null })).toEqual(bad("model"));
});

describe("size", () => {
  test("is a class", () => {
    for (const size of ["1K", "2K", "4K"]) {
      expect(parse({ size })).toMatchObject({ size: null, sizeClass: size });
    }
    expect(parse({ size: "2k" }).sizeClass).toBe("2K");
    expect(parse()).toMatchObject({ size: null, sizeClass: null });
  });

  test.each(["1280x720", "4096x4096", "240x3840", "3840x240", "8192x2048"])("is %s", (size) => {
    const [width = 0, height = 0] = size.split("x").map(Number);
    expect(parse({ size })).toMatchObject({ size: { width, height }, sizeClass: null });
  });

  test.each<Json>([
    "1279x720",
    "4096x4097",
    "239x3840",
    "3841x240",
    "8193x2048",
    "3K",
    "8K",
    "auto",
    "16:9",
    2048,
  ])("is not %j", (size) => {
    expect(refused({ size })).toEqual([400, "invalid_size", "size"]);
  });
});

test("n is at most fifteen, and there are at most ten references", () => {
  const images = (count: number) => Array.from({ length: count }, () => url);
  expect(parse({ n: 15, image: images(10) })).toMatchObject({ count: 15 });
  expect(refused({ n: 16 })).toEqual(bad("n"));
  expect(refused({ image: images(11) })).toEqual(bad("image"));
});

describe("a series", () => {
  const auto = { sequential_image_generation: "auto" };
  const most = (max_images: Json) => ({
    ...auto,
    sequential_image_generation_options: { max_images },
  });

  test("counts as many as it can have", () => {
    expect(parse({ ...auto, n: 3 })).toMatchObject({ count: 3, extras: auto });
    expect(parse(most(4))).toMatchObject({ count: 4, extras: auto });
    expect(parse({ ...most("4"), n: 4 })).toMatchObject({ count: 4, extras: auto });
    expect(parse({ ...most(4), n: 0 })).toMatchObject({ count: 4, extras: auto });
    expect(parse(auto)).toMatchObject({ count: 15, extras: auto });
    expect(parse({ ...most(4), sequential_image_generation: "disabled" })).toMatchObject({
      count: 1,
      extras: {},
    });
  });

  test("is bounded and must not contradict n", () => {
    expect(refused(most(16))).toEqual(bad("max_images"));
    expect(refused(most(0))).toEqual(bad("max_images"));
    expect(refused({ ...most(4), n: 3 })).toEqual(bad("n"));
    expect(refused({ sequential_image_generation: "on" })).toEqual(
      bad("sequential_image_generation"),
    );
  });
});

test("the vendor's own parameters go along", () => {
  const extras = { guidance_scale: 2.5, optimize_prompt_options: { mode: "fast" } };
  expect(parse(extras).extras).toEqual(extras);
  expect(refused({ guidance_scale: 11 })).toEqual(bad("guidance_scale"));
  expect(refused({ optimize_prompt_options: "fast" })).toEqual(bad("optimize_prompt_options"));
});

test("it is charged by count and size, which is 2K where nothing is said", () => {
  expect(imageG.units(parse({ n: 2 }))).toEqual({
    images: 2,
    size: null,
    resolution: "2k",
    quality: null,
  });
  expect(imageG.units(parse({ size: "4K" }))).toMatchObject({ size: "4K", resolution: "4k" });
  expect(imageG.units(parse({ size: "1280x720" }))).toMatchObject({
    size: "1280x720",
    resolution: "1k",
  });
});
