// A job in MiniMax's words, and what has none.
import { describe, expect, test } from "bun:test";
import { videoJob } from "../../../test/harness/video-vendor.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import { lacks, toBody } from "./request.ts";

const bytes = { kind: "bytes", type: "image/png", base64: "iVBORw0K" } as const;
const first: JobMedia = { kind: "image", role: "first-frame", source: bytes, param: "first_image" };
const last: JobMedia = { ...first, role: "last-frame", param: "last_image" };
const reference: JobMedia = { ...first, role: "reference", param: "referenceImages.0" };
const clip: JobMedia = {
  kind: "video",
  role: "reference",
  source: { kind: "url", url: "https://example.com/clip.mp4" },
  param: "referenceVideos.0",
};
const sound: JobMedia = { ...clip, kind: "audio", param: "referenceAudios.0" };

function bodyOf(part: Partial<VideoJob>) {
  return toBody(videoJob({ prompt: "a bridge", ...part }), "MiniMax-H3");
}

test("a text alone, with the ratio that there must be", () => {
  expect(bodyOf({})).toEqual({
    model: "MiniMax-H3",
    content: [{ type: "text", text: "a bridge" }],
    ratio: "16:9",
  });
});

test("every field is sent under the vendor's name", () => {
  const said = { seconds: 6, ratio: "21:9", resolution: "2k", watermark: true } as const;
  expect(bodyOf({ ...said, tier: "pro", audio: true, seed: -1 })).toEqual({
    model: "MiniMax-H3",
    content: [{ type: "text", text: "a bridge" }],
    duration: 6,
    ratio: "21:9",
    resolution: "2K",
    aigc_watermark: true,
  });
  expect(bodyOf({ resolution: "768p" })).toMatchObject({ resolution: "768P" });
});

test("frames have their own ratio", () => {
  const body = bodyOf({ media: [first, last], ratio: "16:9" });
  expect(body).not.toHaveProperty("ratio");
  expect(body["content"]).toEqual([
    { type: "text", text: "a bridge" },
    {
      type: "image_url",
      image_url: { url: "data:image/png;base64,iVBORw0K" },
      role: "first_frame",
    },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K" }, role: "last_frame" },
  ]);
});

test("references and what is worked on are sent in their roles", () => {
  const source: JobMedia = { ...clip, role: "source" };
  expect(bodyOf({ media: [reference, source, sound], ratio: "adaptive" })).toMatchObject({
    content: [
      { type: "text" },
      { type: "image_url", role: "reference_image" },
      { type: "video_url", video_url: { url: "https://example.com/clip.mp4" }, role: "base_video" },
      { type: "audio_url", role: "reference_audio" },
    ],
    ratio: "adaptive",
  });
});

describe("the vendor", () => {
  test.each<[string | null, Partial<VideoJob>]>([
    [null, {}],
    [null, { prompt: "x".repeat(7000) }],
    ["prompt", { prompt: "x".repeat(7001) }],
    ["negative_prompt", { negativePrompt: "fog" }],
    [null, { seconds: 4 }],
    ["duration", { seconds: 3 }],
    [null, { seconds: 15 }],
    ["duration", { seconds: 16 }],
    ["duration", { seconds: 4.5 }],
    ["size", { size: { width: 1280, height: 720 } }],
    ["ratio", { ratio: "2:1" }],
    ["ratio", { ratio: "adaptive" }],
    [null, { ratio: "adaptive", media: [reference] }],
    ["resolution", { resolution: "720p" }],
    ["generate_audio", { audio: false }],
    ["seed", { seed: 7 }],
    ["last_image", { media: [last] }],
    ["referenceVideos.0", { media: [first, last, clip] }],
    ["referenceAudios.0", { media: [sound] }],
    [null, { media: [reference, sound, clip] }],
    ["first_image", { media: [{ ...first, source: { kind: "asset", id: "a" } }] }],
    ["image", { media: [{ ...first, role: "source", param: "image" }] }],
  ])("lacks the field %p for %j", (field, part) => {
    expect(lacks(videoJob(part))).toBe(field);
  });
});
