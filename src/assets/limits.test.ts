import { expect, test } from "bun:test";
import type { Probe } from "../media/probe.ts";
import { judgeMedia } from "./limits.ts";

const image: Probe = { type: "image/png", kind: "image", width: 600, height: 600, seconds: null };
const video: Probe = { type: "video/mp4", kind: "video", width: 640, height: 360, seconds: 5 };
const audio: Probe = { type: "audio/mpeg", kind: "audio", width: null, height: null, seconds: 5 };

test("N6 media within the limits may be used", () => {
  for (const media of [image, video, audio]) expect(judgeMedia(media.kind, media)).toBeNull();
  for (const [width, height] of [
    [300, 300],
    [6000, 6000],
    [1000, 400],
    [400, 1000],
  ]) {
    expect(judgeMedia("image", { ...image, width: width ?? 0, height: height ?? 0 })).toBeNull();
  }
  for (const seconds of [2, 15, 15.05])
    expect(judgeMedia("video", { ...video, seconds })).toBeNull();
});

test("N6 media outside them may not", () => {
  const code = (kind: "image" | "video" | "audio", media: Probe | null) =>
    judgeMedia(kind, media)?.code;
  for (const [width, height] of [
    [299, 300],
    [6001, 6000],
    [1001, 400],
    [399, 1000],
  ]) {
    const sized = { ...image, width: width ?? 0, height: height ?? 0 };
    expect([sized, code("image", sized)]).toEqual([sized, "OutOfRange"]);
  }
  expect(code("video", { ...video, seconds: 1.5 })).toBe("OutOfRange");
  expect(code("audio", { ...audio, seconds: 16 })).toBe("OutOfRange");
  expect(code("audio", { ...audio, seconds: null })).toBe("InvalidMedia");
  expect(code("image", { ...image, width: null })).toBe("InvalidMedia");
  expect(code("video", { ...video, type: "video/webm" })).toBe("InvalidMedia");
  expect(code("video", audio)).toBe("InvalidMedia");
  expect(code("image", null)).toBe("InvalidMedia");
});
