import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { mp4, png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { omniFast } from "./index.ts";

const url = "https://example.com/a.png";
const film = "https://example.com/a.mp4";
const data = `data:image/png;base64,${png}`;

function parse(fields: JsonObject = {}) {
  return omniFast.parse({ model: "omni-fast", prompt: "a cat", ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

function edit(fields: JsonObject) {
  return parse({ model: "omni-fast-v2v", ...fields });
}

function videoOf(bytes: number): string {
  const head = Buffer.from(mp4, "base64");
  return Buffer.concat([head, Buffer.alloc(bytes - head.length)]).toString("base64");
}

test("V-0 model and prompt are required", () => {
  expect(refused({ prompt: undefined })).toEqual(bad("prompt"));
  expect(refused({ prompt: "" })).toEqual(bad("prompt"));
});

test("every field has its place in the job", () => {
  expect(parse({ seconds: "30", aspect_ratio: "9:16", resolution: "2K", seed: 3 })).toMatchObject({
    seconds: 30,
    ratio: "9:16",
    resolution: "2k",
    seed: 3,
  });
  expect(parse()).toMatchObject({ seconds: 8, ratio: null, resolution: null, media: [] });
  expect(parse({ duration: 5 }).seconds).toBe(5);
  expect(refused({ seconds: "61" })).toEqual(bad("seconds"));
  expect(refused({ aspect_ratio: "wide" })).toEqual(bad("aspect_ratio"));
  expect(refused({ resolution: "huge" })).toEqual(bad("resolution"));
});

describe("V-O1 omni-fast", () => {
  test("takes 5 images and refuses a sixth", () => {
    const five = [url, url, data, data, url];
    expect(parse({ images: five }).media.map(({ role }) => role)).toEqual(
      Array.from(five, () => "reference"),
    );
    expect(refused({ images: [...five, url] })).toEqual(bad("images"));
    expect(refused({ images: five, input_reference: url })).toEqual(bad("images"));
    expect(refused({ images: [url, png] })).toEqual(bad("images.1"));
    expect(refused({ images: ["./a.png"] })).toEqual(bad("images.0"));
  });

  test("refuses a last frame without a first", () => {
    expect(refused({ last_image_url: url })).toEqual(bad("last_image_url"));
    expect(refused({ last_image_url: url, image: url })).toEqual(bad("last_image_url"));
    const { media } = parse({ first_image_url: url, last_image_url: data });
    expect(media.map(({ role, param }) => [role, param])).toEqual([
      ["first-frame", "first_image_url"],
      ["last-frame", "last_image_url"],
    ]);
  });

  test.each(["video", "video_url", "input_video"])("refuses %s", (name) => {
    expect(refused({ [name]: film })).toEqual(bad(name));
    expect(refused({ [name]: "" })).toBeNull();
  });
});

describe("V-O2 omni-fast-v2v", () => {
  test("needs a video", () => {
    expect(refusalOf(() => edit({}))).toEqual(bad("video"));
    expect(refusalOf(() => edit({ video: "", video_url: null }))).toEqual(bad("video"));
  });

  test.each<[JsonObject, string]>([
    [{ video: film, video_url: "no", input_video: "no" }, "video"],
    [{ video_url: film, input_video: "no" }, "video_url"],
    [{ input_video: film }, "input_video"],
  ])("takes the first of the three: %j", (fields, param) => {
    expect(edit(fields).media).toEqual([
      { kind: "video", role: "source", param, source: { kind: "url", url: film } },
    ]);
  });

  test("takes MP4 and nothing else", () => {
    const [medium] = edit({ video: `data:video/mp4;base64,${mp4}` }).media;
    expect(medium?.source).toEqual({ kind: "bytes", type: "video/mp4", base64: mp4 });
    expect(refusalOf(() => edit({ video: data }))).toEqual(bad("video"));
    expect(refusalOf(() => edit({ video: mp4 }))).toEqual(bad("video"));
    expect(refusalOf(() => edit({ video: "asset://a" }))).toEqual(bad("video"));
    expect(refusalOf(() => edit({ video: [film, film] }))).toEqual(bad("video"));
  });

  test("takes 15 MB of decoded video and not a byte more", () => {
    const bytesMax = 15 * 1024 * 1024;
    const tooLarge: [number, string, string] = [413, "request_body_too_large", "video"];
    const largest = videoOf(bytesMax);
    const larger = videoOf(bytesMax + 1);
    expect(edit({ video: `data:video/mp4;base64,${largest}` }).media).toHaveLength(1);
    expect(edit({ video: { filename: "a.mp4", base64: largest } }).media).toHaveLength(1);
    expect(refusalOf(() => edit({ video: `data:video/mp4;base64,${larger}` }))).toEqual(tooLarge);
    expect(refusalOf(() => edit({ video: { filename: "a.mp4", base64: larger } }))).toEqual(
      tooLarge,
    );
  });

  test("takes the images of omni-fast, 5 of them", () => {
    const images = [url, url, url, url, url];
    const { media } = edit({ video: film, first_image_url: url, images });
    expect(media).toHaveLength(7);
    expect(refusalOf(() => edit({ video: film, images: [...images, url] }))).toEqual(bad("images"));
  });

  test("is as long as its video unless the client says otherwise", () => {
    const job = edit({ video: film });
    expect(job.seconds).toBeNull();
    expect(omniFast.units(job).seconds).toBe(30);
    expect(omniFast.actual?.(job, { seconds: 6, tokens: null }).seconds).toBe(6);
    expect(edit({ video: film, seconds: "12" }).seconds).toBe(12);
  });
});

test("V-U1 the unified route's image begins the video, and its size is a hint", () => {
  const body = omniFast.unified?.({
    model: "omni-fast",
    image: png,
    size: "720x1280",
    duration: 6,
  });
  expect(omniFast.parse(body ?? {})).toMatchObject({
    prompt: "",
    seconds: 6,
    ratio: "9:16",
    resolution: "720p",
    media: [{ role: "first-frame", param: "image" }],
  });
});
