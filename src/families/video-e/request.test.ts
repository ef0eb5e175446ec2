import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { videoE } from "./index.ts";

const url = "https://example.com/a.png";

function parse(fields: JsonObject = {}) {
  return videoE.parse({ model: "videoE-v1", prompt: "a cat", ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

describe("V-E1 videoE on the shared routes", () => {
  test("every field has its place in the job", () => {
    const job = parse({
      negative_prompt: "rain",
      duration: "10",
      aspect_ratio: "9:16",
      mode: "pro",
      sound: "on",
      cfg_scale: 0.5,
      metadata: { camera_control: { type: "simple" } },
    });
    expect(job).toMatchObject({
      negativePrompt: "rain",
      seconds: 10,
      ratio: "9:16",
      tier: "pro",
      audio: true,
      extras: { cfg_scale: 0.5, camera_control: { type: "simple" } },
    });
    expect(videoE.units(job)).toEqual({ seconds: 10, resolution: null, size: null, tier: "pro" });
  });

  test("what is not said is the vendor's usual", () => {
    expect(parse()).toMatchObject({ seconds: 5, tier: "normal", ratio: null, audio: null });
    expect(parse({ unknown: 1 }).extras).toEqual({});
  });

  test("the lengths are those of the model", () => {
    expect(parse({ duration: 5 }).seconds).toBe(5);
    for (const duration of [4, 6, 9, 11, "7"])
      expect(refused({ duration })).toEqual(bad("duration"));
    expect(parse({ model: "kling-v3", duration: 3 }).seconds).toBe(3);
    expect(parse({ model: "kling-v3", duration: 15 }).seconds).toBe(15);
    expect(refused({ model: "kling-v3", duration: 2 })).toEqual(bad("duration"));
    expect(refused({ model: "kling-v3", duration: 16 })).toEqual(bad("duration"));
  });

  test("the ratio may stand in the size", () => {
    expect(parse({ size: "1:1" }).ratio).toBe("1:1");
    expect(parse({ size: "720x1280" }).ratio).toBe("9:16");
    expect(refused({ size: "21:9" })).toEqual(bad("size"));
    expect(refused({ aspect_ratio: "4:3" })).toEqual(bad("aspect_ratio"));
    expect(refused({ mode: "max" })).toEqual(bad("mode"));
    expect(refused({ sound: "loud" })).toEqual(bad("sound"));
  });

  test("a prompt has at most 2500 characters", () => {
    expect(refused({ prompt: "a".repeat(2500) })).toBeNull();
    expect(refused({ prompt: "a".repeat(2501) })).toEqual(bad("prompt"));
    expect(refused({ negative_prompt: "a".repeat(2501) })).toEqual(bad("negative_prompt"));
  });

  test("image and image_tail are the first and the last frame", () => {
    const { media } = parse({ image: png, image_tail: url });
    expect(media.map(({ role, param }) => [role, param])).toEqual([
      ["first-frame", "image"],
      ["last-frame", "image_tail"],
    ]);
    expect(refused({ image: "asset://a" })).toEqual(bad("image"));
  });

  test("V-U1 a single reference begins the video, several lend their looks", () => {
    const roles = (fields: JsonObject) => parse(fields).media.map(({ role }) => role);
    expect(roles({ input_reference: url })).toEqual(["first-frame"]);
    expect(roles({ images: [url], image_tail: url })).toEqual(["first-frame", "last-frame"]);
    expect(roles({ images: [url, url] })).toEqual(["reference", "reference"]);
    expect(roles({ image: url, images: [url] })).toEqual(["first-frame", "reference"]);
  });

  test("the vendor's first model is ours, its later ones are themselves", () => {
    expect(parse({ model: "kling-v1" }).model).toBe("videoE-v1");
    expect(parse({ model: "kling-v2-6" }).model).toBe("kling-v2-6");
  });

  test("metadata says what a field of its own would", () => {
    expect(parse({ metadata: { mode: "pro", aspectRatio: "1:1" } })).toMatchObject({
      tier: "pro",
      ratio: "1:1",
      extras: {},
    });
  });
});
