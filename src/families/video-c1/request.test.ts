import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { videoC1 } from "./index.ts";

const url = "https://example.com/a.png";

function parse(fields: JsonObject = {}) {
  return videoC1.parse({ model: "videoC-1-5-pro_720p", prompt: "a cat", ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

describe("V-C4 videoC 1.5", () => {
  test.each(["480p", "720p", "1080p"])("the suffix %s fixes the resolution", (resolution) => {
    const model = `videoC-1-5-pro_${resolution}`;
    const job = parse({ model, resolution: "360p" });
    expect([job.model, job.resolution]).toEqual([model, resolution]);
    expect(videoC1.units(job).resolution).toBe(resolution);
  });

  test.each([
    [undefined, "videoC-1-5-pro_720p"],
    ["480P", "videoC-1-5-pro_480p"],
    ["1080p", "videoC-1-5-pro_1080p"],
  ])("the vendor's name with resolution %s is %s", (resolution, model) => {
    expect(parse({ model: "doubao-seedance-1-5-pro-251215", resolution }).model).toBe(model);
  });

  test.each(["4", "11", 4, 11])("seconds %j are taken", (seconds) => {
    expect(parse({ seconds }).seconds).toBe(Number(seconds));
  });

  test.each(["3", "12", 3, 12])("seconds %j are refused", (seconds) => {
    expect(refused({ seconds })).toEqual(bad("seconds"));
  });

  test.each([
    ["16:9", "16:9"],
    ["9:16", "9:16"],
    ["1:1", "1:1"],
    ["4:3", "4:3"],
    ["3:4", "3:4"],
    ["21:9", "21:9"],
    ["keep_ratio", "adaptive"],
    ["adaptive", "adaptive"],
  ])("size %s is the ratio %s", (size, ratio) => {
    expect(parse({ size })).toMatchObject({ ratio, size: null });
  });

  test.each(["1280x720", "2:3", "wide"])("size %s is refused", (size) => {
    expect(refused({ size })).toEqual(bad("size"));
  });

  test("frames are addresses", () => {
    const { media } = parse({ first_frame_image: url, last_frame_image: url });
    expect(media.map(({ role, param }) => [role, param])).toEqual([
      ["first-frame", "first_frame_image"],
      ["last-frame", "last_frame_image"],
    ]);
    expect(parse({ last_frame_image: url }).media).toHaveLength(1);
    expect(refused({ first_frame_image: `data:image/png;base64,${png}` })).toEqual(
      bad("first_frame_image"),
    );
    expect(refused({ last_frame_image: "asset://a" })).toEqual(bad("last_frame_image"));
  });
});

test("N4 a file of a form is taken, and a single reference is the first frame", () => {
  const file = { filename: "a.png", type: "image/png", base64: png };
  expect(parse({ first_frame_image: file }).media).toMatchObject([{ role: "first-frame" }]);
  expect(parse({ input_reference: file }).media).toMatchObject([
    { role: "first-frame", param: "input_reference" },
  ]);
  expect(parse({ input_reference: [file, file] }).media.map(({ role }) => role)).toEqual([
    "reference",
    "reference",
  ]);
});

test("V-U1 pixels on the unified route are the nearest ratio", () => {
  const body = videoC1.unified?.({ model: "videoC-1-5-pro_480p", prompt: "p", size: "720x1280" });
  expect(videoC1.parse(body ?? {}).ratio).toBe("9:16");
});
