import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { imageH } from "./index.ts";

const making = { kind: "generate", isForm: false } as const;
const url = "https://example.com/a.png";
const pro = "imageH-3-pro-image-preview";
const lite = "imageH-3.1-flash-lite-image";

function parse(fields: JsonObject = {}) {
  return imageH.parse({ model: pro, prompt: "a cat", ...fields }, making);
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

test.each([
  ["gemini-3-pro-image-preview", pro],
  ["gemini-3-pro-image", pro],
  ["gemini-3.1-flash-lite-image", lite],
])("%s is %s", (name, model) => {
  expect(parse({ model: name }).model).toBe(model);
});

describe("the shape", () => {
  test.each<[JsonObject, JsonObject]>([
    [{}, { size: null, sizeClass: null, ratio: null }],
    [{ size: "auto" }, { size: null, sizeClass: null, ratio: null }],
    [{ size: "2K" }, { size: null, sizeClass: "2K", ratio: null }],
    [{ size: "16:9" }, { size: null, sizeClass: null, ratio: "16:9" }],
    [
      { size: "4k", aspect_ratio: "21:9" },
      { size: null, sizeClass: "4K", ratio: "21:9" },
    ],
    [
      { image_size: "1K", aspectRatio: "2:3" },
      { size: null, sizeClass: "1K", ratio: "2:3" },
    ],
    [{ size: "1024x1024" }, { size: { width: 1024, height: 1024 }, sizeClass: null, ratio: null }],
    [{ size: "4096x1366" }, { size: { width: 4096, height: 1366 } }],
    [{ size: "256x256" }, { size: { width: 256, height: 256 } }],
  ])("of %j is %j", (fields, shape) => {
    expect(parse(fields)).toMatchObject(shape);
  });

  test.each<Json>(["512", "8K", "7:5", "4097x2048", "255x300", "4096x1365", 1024, "?"])(
    "cannot be the size %j",
    (size) => {
      expect(refused({ size })).toEqual([400, "invalid_size", "size"]);
    },
  );

  test("has ratios and classes of its own, and pixels exclude both", () => {
    expect(refused({ aspect_ratio: "7:5" })).toEqual(bad("aspect_ratio"));
    expect(refused({ imageSize: "3K" })).toEqual(bad("imageSize"));
    expect(refused({ size: "1024x1024", aspect_ratio: "1:1" })).toEqual(bad("aspect_ratio"));
    expect(refused({ size: "1024x1024", image_size: "1K" })).toEqual(bad("image_size"));
  });

  test("of the small model is 1K only", () => {
    expect(parse({ model: lite, size: "1K" }).sizeClass).toBe("1K");
    expect(parse({ model: lite, size: "1280x819" }).size).not.toBeNull();
    for (const size of ["2K", "4K", "1280x820", "2048x2048"]) {
      expect(refused({ model: lite, size })).toEqual([400, "invalid_size", "size"]);
    }
    expect(refused({ model: lite, image_size: "2K" })).toEqual(bad("image_size"));
  });
});

test("n is at most four, and there are at most fourteen references", () => {
  const images = (count: number) => Array.from({ length: count }, () => url);
  expect(parse({ n: 4, image: images(14) }).count).toBe(4);
  expect(refused({ n: 5 })).toEqual(bad("n"));
  expect(refused({ image: images(15) })).toEqual(bad("image"));
});

test("the vendor's own parameters go along by its own names", () => {
  const extras = { temperature: 0.5, topP: 1, safetySettings: [{ category: "A" }] };
  expect(parse(extras).extras).toEqual(extras);
  expect(parse({ top_p: "1", safety_settings: '[{"category":"A"}]' }).extras).toEqual({
    topP: 1,
    safetySettings: [{ category: "A" }],
  });
  expect(refused({ temperature: 2.1 })).toEqual(bad("temperature"));
  expect(refused({ top_p: 1.1 })).toEqual(bad("top_p"));
  expect(refused({ safetySettings: {} })).toEqual(bad("safetySettings"));
});

test("it is charged by count and size, which is 1K where nothing is said", () => {
  expect(imageH.units(parse({ n: 2 }))).toMatchObject({ images: 2, size: null, resolution: "1k" });
  expect(imageH.units(parse({ size: "4K" }))).toMatchObject({ size: "4K", resolution: "4k" });
  expect(imageH.units(parse({ size: "1024x1024" }))).toMatchObject({ resolution: "1k" });
  expect(imageH.units(parse({ size: "1025x1024" }))).toMatchObject({ resolution: "2k" });
  expect(imageH.units(parse({ size: "2048x2048" }))).toMatchObject({ resolution: "2k" });
  expect(imageH.units(parse({ size: "2049x2048" }))).toMatchObject({ resolution: "4k" });
});
