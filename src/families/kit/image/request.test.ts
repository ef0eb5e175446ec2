import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../../core/json.ts";
import { bad, refusalOf } from "../fixtures/refusals.ts";
import { png } from "../fixtures/files.ts";
import { readShared, usualQualities, type ImageLimits } from "./request.ts";

const limits: ImageLimits = {
  countMax: 10,
  qualities: usualQualities,
  references: { countMax: 2, types: ["image/png"], bytesMax: 1000 },
};
const making = { kind: "generate", isForm: false } as const;
const editing = { kind: "edit", isForm: false } as const;

function read(fields: JsonObject = {}) {
  return readShared({ prompt: "a cat", ...fields }, making, limits);
}

function refused(fields: JsonObject) {
  return refusalOf(() => read(fields));
}

test("I1 what is not said stays open", () => {
  expect(read()).toEqual({
    kind: "generate",
    prompt: "a cat",
    count: 1,
    quality: null,
    watermark: null,
    style: null,
    background: null,
    outputFormat: null,
    seed: null,
    images: [],
    mask: null,
    delivery: null,
    stream: false,
    partialImages: null,
  });
});

describe("I1 the prompt", () => {
  test.each<Json>(["", "  \n", 7, null, {}])("cannot be %j", (prompt) => {
    expect(refused({ prompt })).toEqual(bad("prompt"));
  });

  test("is required and bounded", () => {
    expect(refusalOf(() => readShared({}, making, limits))).toEqual(bad("prompt"));
    expect(read({ prompt: "🐈".repeat(32_000) }).prompt).toHaveLength(64_000);
    expect(refused({ prompt: "a".repeat(32_001) })).toEqual(bad("prompt"));
  });
});

describe("I1 n", () => {
  test.each<[Json, number]>([
    [null, 1],
    [0, 1],
    ["0", 1],
    [1, 1],
    [4, 4],
    ["4", 4],
    [10, 10],
  ])("%j makes %d", (n, count) => {
    expect(read({ n }).count).toBe(count);
  });

  test.each<Json>([11, "11", -1, 1.5, "four", true, {}])("%j is refused", (n) => {
    expect(refused({ n })).toEqual(bad("n"));
  });
});

test.each(usualQualities)("I1 the quality may be %s, in any case", (quality) => {
  expect(read({ quality }).quality).toBe(quality);
  expect(read({ quality: quality.toUpperCase() }).quality).toBe(quality);
});

test("I1 there is no other quality", () => {
  for (const quality of ["standard", "hd", "best", 7]) {
    expect(refused({ quality })).toEqual(bad("quality"));
  }
});

test("I1 a watermark has three values, as text too", () => {
  expect(read({ watermark: false }).watermark).toBe(false);
  expect(read({ watermark: "false" }).watermark).toBe(false);
  expect(read({ watermark: "true" }).watermark).toBe(true);
  expect(read({ watermark: null }).watermark).toBeNull();
  for (const watermark of ["no", 0, 1, {}])
    expect(refused({ watermark })).toEqual(bad("watermark"));
});

test.each(["style", "background"] as const)("I1 %s is a text or an object", (name) => {
  expect(read({ [name]: "vivid" })[name]).toBe("vivid");
  expect(read({ [name]: { type: "plain" } })[name]).toEqual({ type: "plain" });
  expect(read({ [name]: '{"type":"plain"}' })[name]).toEqual({ type: "plain" });
  for (const value of [7, true, ["a"], "{"]) expect(refused({ [name]: value })).toEqual(bad(name));
});

test("I1 images come back as links or base64, in a format that is known", () => {
  expect(read({ response_format: "url" }).delivery).toBe("url");
  expect(read({ response_format: "b64_json" }).delivery).toBe("b64_json");
  expect(refused({ response_format: "base64" })).toEqual(bad("response_format"));
  expect(read({ output_format: "jpg" }).outputFormat).toBe("jpeg");
  expect(read({ output_format: "webp" }).outputFormat).toBe("webp");
  for (const output_format of ["gif", "svg", "constructor"]) {
    expect(refused({ output_format })).toEqual(bad("output_format"));
  }
});

test("a stream may be asked for, with as many unfinished pictures as it shows", () => {
  expect(read({ stream: "true", partial_images: "3" })).toMatchObject({
    stream: true,
    partialImages: 3,
  });
  expect(read({ stream: false, partial_images: 0 })).toMatchObject({
    stream: false,
    partialImages: 0,
  });
  expect(refused({ partial_images: 4 })).toEqual(bad("partial_images"));
  expect(refused({ stream: 1 })).toEqual(bad("stream"));
});

describe("I5 an edit", () => {
  const edit = (fields: JsonObject) => readShared({ prompt: "a hat", ...fields }, editing, limits);

  test("needs an image and a prompt", () => {
    expect(edit({ image: png }).images).toHaveLength(1);
    expect(refusalOf(() => edit({}))).toEqual(bad("image"));
    expect(refusalOf(() => edit({ image: [] }))).toEqual(bad("image"));
    expect(refusalOf(() => edit({ image: png, prompt: "" }))).toEqual(bad("prompt"));
  });

  test("alone has a mask", () => {
    expect(edit({ image: png, mask: png }).mask?.param).toBe("mask");
    expect(refused({ image: png, mask: png })).toEqual(bad("mask"));
  });
});
