// A job in Kling's words, and what has none.
import { describe, expect, test } from "bun:test";
import { videoJob } from "../../../test/harness/video-vendor.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import { kindOf, lacks, toBody } from "./request.ts";

const names = { model: "kling-v2-6", taskId: "task_1" };
const bytes = { kind: "bytes", type: "image/png", base64: "iVBORw0K" } as const;
const first: JobMedia = { kind: "image", role: "first-frame", source: bytes, param: "image" };
const last: JobMedia = {
  kind: "image",
  role: "last-frame",
  source: { kind: "url", url: "https://example.com/last.png" },
  param: "image_tail",
};
const reference: JobMedia = { ...first, role: "reference", param: "images.0" };

function bodyOf(part: Partial<VideoJob>) {
  return toBody(videoJob({ prompt: "a bridge", ...part }), names);
}

test("a text alone is sent to its own address with every field", () => {
  const job = { seconds: 5, ratio: "9:16", tier: "pro", audio: true, watermark: false } as const;
  expect(kindOf(videoJob(job))).toBe("text2video");
  expect(bodyOf({ ...job, negativePrompt: "fog" })).toEqual({
    model_name: "kling-v2-6",
    prompt: "a bridge",
    negative_prompt: "fog",
    duration: "5",
    mode: "pro",
    aspect_ratio: "9:16",
    sound: "on",
    watermark_info: { enabled: false },
    external_task_id: "task_1",
  });
});

test("frames go bare, and the ratio is theirs", () => {
  const job = { media: [first, last], ratio: "16:9", prompt: "" };
  expect(kindOf(videoJob(job))).toBe("image2video");
  expect(bodyOf(job)).toEqual({
    model_name: "kling-v2-6",
    image: "iVBORw0K",
    image_tail: "https://example.com/last.png",
    external_task_id: "task_1",
  });
});

test("references go in a list", () => {
  const media = [reference, { ...reference, source: last.source }];
  expect(kindOf(videoJob({ media }))).toBe("multi-image2video");
  expect(bodyOf({ media, ratio: "1:1" })).toMatchObject({
    image_list: [{ image: "iVBORw0K" }, { image: "https://example.com/last.png" }],
    aspect_ratio: "1:1",
  });
});

test("a size stands for a ratio and a mode", () => {
  expect(bodyOf({ size: { width: 1080, height: 1920 } })).toMatchObject({
    mode: "pro",
    aspect_ratio: "9:16",
  });
  expect(bodyOf({ resolution: "720p" })).toMatchObject({ mode: "std" });
});

test("of the client's own parameters only the vendor's go along", () => {
  const extras = { cfg_scale: 0.5, callback_url: "https://example.com", model_name: "other" };
  const body = bodyOf({ extras });
  expect(body).toMatchObject({ cfg_scale: 0.5, model_name: "kling-v2-6" });
  expect(body).not.toHaveProperty("callback_url");
});

describe("the vendor", () => {
  test.each<[string | null, Partial<VideoJob>]>([
    [null, {}],
    [null, { prompt: "x".repeat(2500) }],
    ["prompt", { prompt: "x".repeat(2501) }],
    [null, { seconds: 10 }],
    ["seconds", { seconds: 7 }],
    [null, { seconds: 7, model: "videoE-v3" }],
    ["seconds", { seconds: 16, model: "kling-v3" }],
    ["seconds", { seconds: 2, model: "kling-v3" }],
    ["seconds", { seconds: 5.5, model: "kling-v3" }],
    ["seconds", { seconds: 7, model: "kling-v2-6" }],
    [null, { size: { width: 1280, height: 720 } }],
    ["size", { size: { width: 1024, height: 1792 } }],
    [null, { ratio: "1:1" }],
    ["aspect_ratio", { ratio: "21:9" }],
    ["aspect_ratio", { ratio: "adaptive" }],
    [null, { ratio: "adaptive", media: [first] }],
    ["resolution", { resolution: "4k" }],
    ["resolution", { resolution: "720p", tier: "pro" }],
    [null, { resolution: "1080p", tier: "pro" }],
    [null, { seed: -1 }],
    ["seed", { seed: 7 }],
    [null, { media: [last] }],
    ["image", { media: [first, { ...first }] }],
    ["image", { media: [{ ...first, source: { kind: "asset", id: "a" } }] }],
    ["video", { media: [{ ...first, kind: "video", role: "source", param: "video" }] }],
    ["images.0", { media: [first, reference] }],
    ["images.4", { media: [0, 1, 2, 3, 4].map((at) => ({ ...reference, param: `images.${at}` })) }],
  ])("lacks the field %p for %j", (field, part) => {
    expect(lacks(videoJob(part))).toBe(field);
  });
});
