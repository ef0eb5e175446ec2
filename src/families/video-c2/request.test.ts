import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { completed, created, failed, running } from "../kit/fixtures/task-views.ts";
import { videoC2 } from "./index.ts";

const url = "https://example.com/a.png";
const asset = "asset://asset-1";

function parse(fields: JsonObject = {}) {
  return videoC2.parse({ model: "videoC-2-0-260128", prompt: "a cat", ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

describe("V-C1 scalars", () => {
  test.each(["21:9", "16:9", "4:3", "1:1", "3:4", "9:16"])(
    "aspect_ratio %s is taken",
    (aspect_ratio) => {
      expect(parse({ aspect_ratio }).ratio).toBe(aspect_ratio);
    },
  );

  test.each(["2:3", "adaptive"])("aspect_ratio %s is refused", (aspect_ratio) => {
    expect(refused({ aspect_ratio })).toEqual(bad("aspect_ratio"));
  });

  test("size is in pixels, never a ratio", () => {
    expect(parse({ size: "1112x834" }).size).toEqual({ width: 1112, height: 834 });
    for (const size of ["16:9", "720p", 7]) expect(refused({ size })).toEqual(bad("size"));
  });

  test.each<[Json | undefined, number | null]>([
    [undefined, 5],
    [1, 1],
    [60, 60],
    [5.5, 5.5],
    ["7", 7],
    [-1, null],
  ])("duration %j is %p", (duration, seconds) => {
    expect(parse({ duration }).seconds).toBe(seconds);
  });

  test.each([0, 0.5, 60.5, -2, "long", true])("duration %j is refused", (duration) => {
    expect(refused({ duration })).toEqual(bad("duration"));
  });

  test("resolution is one that the model has", () => {
    expect(parse({ resolution: "1080P" }).resolution).toBe("1080p");
    expect(refused({ resolution: "4k" })).toEqual(bad("resolution"));
    const model = "doubao-seedance-2-0-fast-260128";
    expect(parse({ model, resolution: "720P" }).model).toBe("videoC-2-0-fast-260128");
    expect(refused({ model, resolution: "1080p" })).toEqual(bad("resolution"));
  });

  test("watermark and sound have three values", () => {
    expect(parse({ watermark: false, generate_audio: true })).toMatchObject({
      watermark: false,
      audio: true,
    });
    expect(parse()).toMatchObject({ watermark: null, audio: null });
    expect(refused({ watermark: 1 })).toEqual(bad("watermark"));
  });
});

describe("V-C1 media", () => {
  const fields: [string, string, boolean][] = [
    ["first_image", "image", false],
    ["reference_image_urls", "image", true],
    ["reference_video_url", "video", false],
    ["reference_video_urls", "video", true],
    ["reference_audios", "audio", true],
    ["reference_audio_urls", "audio", true],
    ["audio_url", "audio", false],
  ];

  test.each(fields)("%s takes an address or an asset, as %s", (name, kind, isList) => {
    const param = isList ? `${name}.0` : name;
    expect(parse({ [name]: isList ? [url] : url }).media).toMatchObject([
      { kind, param, source: { kind: "url", url } },
    ]);
    expect(parse({ [name]: isList ? [asset] : asset }).media).toMatchObject([
      { kind, param, source: { kind: "asset", id: "asset-1" } },
    ]);
    for (const other of [`data:image/png;base64,${png}`, png, "asset://../a", "/a.png", 7]) {
      expect(refused({ [name]: isList ? [other] : other })).toEqual(bad(param));
    }
  });

  test("a last frame needs a first", () => {
    expect(refused({ last_image: url })).toEqual(bad("last_image"));
    expect(parse({ first_image: asset, last_image: url }).media.map(({ role }) => role)).toEqual([
      "first-frame",
      "last-frame",
    ]);
  });

  test.each(["first_image", "input_reference", "anything"])(
    "N4 a file in %s is refused",
    (name) => {
      const file = { filename: "a.png", type: "image/png", base64: png };
      expect(refused({ [name]: file })).toEqual(bad(name));
      expect(refused({ [name]: [file, file] })).toEqual(bad(name));
    },
  );
});

test("V-U1 a ratio in the unified route's size is a ratio here", () => {
  const own = (size: string) =>
    videoC2.parse(videoC2.unified?.({ model: "videoC-2-0-260128", prompt: "p", size }) ?? {});
  expect(own("16:9")).toMatchObject({ ratio: "16:9", size: null });
  expect(own("1280x720")).toMatchObject({ ratio: null, size: { width: 1280, height: 720 } });
});

test("an open length is held for the longest and charged by what came", () => {
  const job = parse({ duration: -1, size: "864x496" });
  expect(videoC2.units(job)).toEqual({
    seconds: 15,
    resolution: "480p",
    size: "864x496",
    tier: null,
  });
  expect(videoC2.actual?.(job, { seconds: 7, tokens: 900 }).seconds).toBe(7);
});

describe("V-C1 V-C3 the variant shape", () => {
  const shown = { id: "task_1", object: "video", created: 1000, model: "m" };

  test("errors are in envelope C", () => {
    expect(videoC2.envelope).toBe("c");
  });

  test("it has five fields while there is no result", () => {
    expect(videoC2.render(created)).toEqual({ ...shown, status: "queued" });
    expect(videoC2.render(running)).toEqual({ ...shown, status: "in_progress" });
  });

  test("it shows what the vendor told of the result", () => {
    expect(videoC2.render(completed)).toEqual({
      ...shown,
      status: "completed",
      video_url: "https://media.example/v.mp4",
      actualDuration: 5,
      totalTokens: 900,
    });
    const untold = { ...completed, videoUrl: null, delivered: { seconds: null, tokens: null } };
    expect(videoC2.render(untold)).toEqual({ ...shown, status: "completed" });
  });

  test("its error is a text", () => {
    expect(videoC2.render(failed)).toEqual({ ...shown, status: "failed", error: "It broke." });
  });
});
