import { expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { videoA } from "./index.ts";

const url = "https://example.com/a.png";

function parse(fields: JsonObject = {}) {
  return videoA.parse({ model: "videoA_3_1", prompt: "a cat", ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

test("V-0 model and prompt are required", () => {
  expect(refusalOf(() => videoA.parse({ prompt: "p" }))).toEqual(bad("model"));
  expect(refused({ prompt: undefined })).toEqual(bad("prompt"));
});

test("V-A1 a request that says little leaves the rest open", () => {
  expect(parse()).toEqual({
    model: "videoA_3_1",
    prompt: "a cat",
    negativePrompt: null,
    seconds: 8,
    size: null,
    ratio: null,
    resolution: null,
    tier: null,
    audio: null,
    watermark: null,
    seed: null,
    media: [],
    extras: {},
  });
});

test("V-A1 size and duration are read within their bounds", () => {
  expect(parse({ size: "720x1280", duration: 10 })).toMatchObject({
    size: { width: 720, height: 1280 },
    seconds: 10,
  });
  expect(parse({ duration: "6" }).seconds).toBe(6);
  expect(parse({ duration: 60 }).seconds).toBe(60);
  expect(refused({ duration: 61 })).toEqual(bad("duration"));
  expect(refused({ duration: 0 })).toEqual(bad("duration"));
  expect(refused({ size: "large" })).toEqual(bad("size"));
  expect(parse({ size: "16:9" })).toMatchObject({ size: null, ratio: "16:9" });
});

test("V-A1 input_reference is one or several, in any form", () => {
  const one = { kind: "image", role: "reference", param: "input_reference" } as const;
  const source = { kind: "bytes", type: "image/png", base64: png } as const;
  expect(parse({ input_reference: url }).media).toEqual([{ ...one, source: { kind: "url", url } }]);
  for (const given of [png, `data:image/png;base64,${png}`, { filename: "a.png", base64: png }]) {
    expect(parse({ input_reference: given }).media).toEqual([{ ...one, source }]);
  }
  expect(parse({ input_reference: [url, png] }).media.map(({ param }) => param)).toEqual([
    "input_reference.0",
    "input_reference.1",
  ]);
  expect(refused({ input_reference: [url, "/tmp/cat.png"] })).toEqual(bad("input_reference.1"));
  expect(refused({ input_reference: "asset://a" })).toEqual(bad("input_reference"));
});

test("V-U1 an image of the unified route is what the video begins with", () => {
  const job = videoA.parse(
    videoA.unified?.({
      model: "videoA_3_1-fast",
      image: url,
      size: "9:16",
      metadata: { aspectRatio: "16:9", resolution: "1080p", durationSeconds: 6, style: "noir" },
    }) ?? {},
  );
  expect(job).toMatchObject({
    model: "videoA_3_1-fast",
    prompt: "",
    ratio: "16:9",
    resolution: "1080p",
    seconds: 6,
    media: [{ role: "first-frame", param: "image" }],
    extras: { style: "noir" },
  });
});

test.each([
  ["veo-3.1-generate-preview", "videoA_3_1"],
  ["veo-3.1-fast-generate-001", "videoA_3_1-fast"],
  ["videoA-3", "videoA_3_1"],
])("%s is %s", (name, model) => {
  expect(parse({ model: name }).model).toBe(model);
});

test("fields that nobody knows are no error", () => {
  expect(parse({ user: "u", __other: { deep: [1] } }).extras).toEqual({});
});

test("it is charged by the second, at most what was asked for", () => {
  const job = parse({ size: "1920x1080", duration: 8 });
  expect(videoA.units(job)).toEqual({
    seconds: 8,
    resolution: "1080p",
    size: "1920x1080",
    tier: null,
  });
  expect(videoA.actual?.(job, { seconds: 6, tokens: null }).seconds).toBe(6);
});
