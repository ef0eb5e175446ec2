// A job in Ark's words, and what has none.
import { describe, expect, test } from "bun:test";
import { videoJob } from "../../../test/harness/video-vendor.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import { lacks, toBody } from "./request.ts";

const names = { model: "doubao-seedance-2-0-260128", taskId: "task_1" };
const bytes = { kind: "bytes", type: "image/png", base64: "iVBORw0K" } as const;
const first: JobMedia = { kind: "image", role: "first-frame", source: bytes, param: "first_image" };
const last: JobMedia = { ...first, role: "last-frame", param: "last_image" };
const reference: JobMedia = { ...first, role: "reference", param: "images.0" };
const clip: JobMedia = {
  kind: "video",
  role: "reference",
  source: { kind: "url", url: "https://example.com/clip.mp4" },
  param: "reference_video_url",
};
const sound: JobMedia = {
  kind: "audio",
  role: "reference",
  source: { kind: "asset", id: "asset-1" },
  param: "audio_url",
};

function bodyOf(part: Partial<VideoJob>) {
  return toBody(videoJob({ prompt: "a bridge", ...part }), names);
}

test("a text alone is sent as the only content", () => {
  expect(bodyOf({})).toEqual({
    model: names.model,
    content: [{ type: "text", text: "a bridge" }],
    safety_identifier: "task_1",
  });
});

test("every field is sent under the vendor's name", () => {
  const said = { seconds: 8, ratio: "21:9", resolution: "1080p", seed: 7, tier: "normal" } as const;
  expect(
    bodyOf({ ...said, watermark: false, audio: false, extras: { camera_fixed: true } }),
  ).toEqual({
    model: names.model,
    content: [{ type: "text", text: "a bridge" }],
    duration: 8,
    ratio: "21:9",
    resolution: "1080p",
    seed: 7,
    watermark: false,
    generate_audio: false,
    camera_fixed: true,
    safety_identifier: "task_1",
  });
});

test("media are sent as content in their roles", () => {
  expect(bodyOf({ prompt: "", media: [first, last] })["content"]).toEqual([
    {
      type: "image_url",
      image_url: { url: "data:image/png;base64,iVBORw0K" },
      role: "first_frame",
    },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K" }, role: "last_frame" },
  ]);
  expect(bodyOf({ media: [reference, clip, sound] })["content"]).toMatchObject([
    { type: "text" },
    { type: "image_url", role: "reference_image" },
    {
      type: "video_url",
      video_url: { url: "https://example.com/clip.mp4" },
      role: "reference_video",
    },
    { type: "audio_url", audio_url: { url: "asset://asset-1" }, role: "reference_audio" },
  ]);
});

test.each([
  [864, 496, "480p", "16:9"],
  [496, 864, "480p", "9:16"],
  [1112, 834, "720p", "4:3"],
  [640, 1504, "720p", "9:16"],
  [1504, 640, "720p", "21:9"],
  [1440, 1440, "1080p", "1:1"],
])("the size %dx%d stands for %s in %s", (width, height, resolution, ratio) => {
  expect(bodyOf({ size: { width, height } })).toMatchObject({ resolution, ratio });
});

test("what costs more is not asked for in the prompt", () => {
  const prompt = "a --dur 12 --ratio 1:1 bridge --resolution 1080p --rs=1080p --frames 99";
  expect(bodyOf({ prompt })["content"]).toEqual([{ type: "text", text: "a --ratio 1:1 bridge" }]);
});

test("of the client's own parameters only the vendor's go along", () => {
  const extras = { callback_url: "https://example.com", frames: 99, model: "other" };
  expect(bodyOf({ extras })).toEqual(bodyOf({}));
});

describe("the vendor", () => {
  const many = (count: number, one: JobMedia): JobMedia[] =>
    Array.from({ length: count }, (_, at) => ({ ...one, param: `${one.kind}.${at}` }));

  test.each<[string | null, Partial<VideoJob>]>([
    [null, {}],
    ["negative_prompt", { negativePrompt: "fog" }],
    [null, { seconds: 2 }],
    ["seconds", { seconds: 1 }],
    [null, { seconds: 30 }],
    ["seconds", { seconds: 31 }],
    ["seconds", { seconds: 4.5 }],
    ["size", { size: { width: 1024, height: 1792 } }],
    [null, { ratio: "keep_ratio" }],
    ["ratio", { ratio: "2:1" }],
    ["resolution", { resolution: "4k" }],
    ["mode", { tier: "pro" }],
    [null, { media: [first, last] }],
    ["last_image", { media: [last] }],
    ["first_image", { media: [first, { ...first }] }],
    ["images.0", { media: [first, reference] }],
    [null, { media: many(9, reference) }],
    ["image.9", { media: many(10, reference) }],
    [null, { media: many(3, clip) }],
    ["video.3", { media: many(4, clip) }],
    ["audio.3", { media: [reference, ...many(4, sound)] }],
    ["audio_url", { media: [sound] }],
    ["video", { media: [{ ...clip, role: "source", param: "video" }] }],
    ["reference_video_url", { media: [{ ...clip, source: bytes }] }],
    ["reference_video_url", { media: [{ ...clip, role: "first-frame" }] }],
  ])("lacks the field %p for %j", (field, part) => {
    expect(lacks(videoJob(part))).toBe(field);
  });
});
