import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { completed, created, failed, running } from "../kit/fixtures/task-views.ts";
import { videoD } from "./index.ts";

const url = "https://example.com/a.png";
const data = `data:image/png;base64,${png}`;
const film = "https://example.com/a.mp4";
const sound = "http://example.com/a.mp3";
const pro = "videoD-h3-pro-768p";

function parse(fields: JsonObject = {}) {
  return videoD.parse({ model: "videoD-h3", prompt: "a cat", duration: 5, ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

function times(count: number, value: string): string[] {
  return Array.from({ length: count }, () => value);
}

test.each([4, 15, "4", "15"])("V-D1 duration %j is taken", (duration) => {
  expect(parse({ duration }).seconds).toBe(Number(duration));
});

test.each([undefined, null, "", 3, 16, 5.5, "5.5", "five", true])(
  "V-D1 duration %p is refused",
  (duration) => {
    expect(refused({ duration })).toEqual(bad("duration"));
  },
);

describe("V-D2 the model", () => {
  test.each<[string, JsonObject, string]>([
    ["videoD-h3-768p", {}, "videoD-h3-768p"],
    ["videoD-h3-2k", {}, "videoD-h3-2k"],
    ["videoD-h3-pro-768p", {}, "videoD-h3-pro-768p"],
    ["videoD-h3-pro-2k", {}, "videoD-h3-pro-2k"],
    ["videoD-h3", {}, "videoD-h3-768p"],
    ["videoD-h3", { resolution: "768P" }, "videoD-h3-768p"],
    ["videoD-h3", { resolution: "1080p" }, "videoD-h3-768p"],
    ["videoD-h3", { resolution: "2K" }, "videoD-h3-2k"],
    ["videoD-h3", { resolution: "2k" }, "videoD-h3-2k"],
    ["videoD-h3", { resolution: "2160p" }, "videoD-h3-2k"],
    ["videoD-h3", { resolution: 2160 }, "videoD-h3-2k"],
    ["videoD-h3", { video_resolution: "2K" }, "videoD-h3-2k"],
    ["videoD-h3", { size: "2K" }, "videoD-h3-2k"],
    ["videoD-h3", { size: "3840x2160" }, "videoD-h3-2k"],
    ["videoD-h3", { resolution: "768P", size: "2K" }, "videoD-h3-2k"],
    ["MiniMax-H3", { resolution: "2K" }, "videoD-h3-2k"],
    // The suffix is the resolution, whatever else is said.
    ["videoD-h3-768p", { resolution: "2K" }, "videoD-h3-768p"],
    ["videoD-h3-pro-2k", { resolution: "768P" }, "videoD-h3-pro-2k"],
  ])("%s with %j is %s", (model, fields, resolved) => {
    const job = parse({ model, ...fields });
    const isPro = resolved.includes("pro");
    expect(job).toMatchObject({
      model: resolved,
      resolution: resolved.endsWith("2k") ? "2k" : "768p",
      tier: isPro ? "pro" : "normal",
    });
    expect(videoD.units(job)).toMatchObject({ resolution: job.resolution, tier: job.tier });
  });

  test("the single entry is never pro", () => {
    expect(refused({ referenceVideos: [film] })).toEqual(bad("referenceVideos"));
  });
});

test.each<[Json | undefined, string]>([
  ["16:9", "16:9"],
  ["9:16", "9:16"],
  ["1:1", "1:1"],
  ["21:9", "21:9"],
  ["4:3", "4:3"],
  ["3:4", "3:4"],
  [undefined, "16:9"],
  ["2:3", "16:9"],
  ["adaptive", "16:9"],
  [169, "16:9"],
])("V-D3 ratio %j is %s", (ratio, expected) => {
  expect(parse({ ratio }).ratio).toBe(expected);
});

describe("V-D4 images", () => {
  test.each([
    ["videoD-h3-768p", 5],
    ["videoD-h3-2k", 5],
    [pro, 9],
    ["videoD-h3-pro-2k", 9],
  ])("%s takes %d", (model, most) => {
    expect(parse({ model, referenceImages: times(most, url) }).media).toHaveLength(most);
    expect(refused({ model, referenceImages: times(most + 1, data) })).toEqual(
      bad("referenceImages"),
    );
  });

  test.each(["/pictures/cat.png", "cat.png", "file:///cat.png", png, "asset://a"])(
    "%s is refused",
    (image) => {
      expect(refused({ referenceImages: [url, image] })).toEqual(bad("referenceImages.1"));
    },
  );

  test("frames come as a pair and not with reference images", () => {
    expect(parse({ first_image: url, last_image: data }).media.map(({ role }) => role)).toEqual([
      "first-frame",
      "last-frame",
    ]);
    expect(refused({ first_image: url })).toEqual(bad("last_image"));
    expect(refused({ last_image: url })).toEqual(bad("first_image"));
    const pair = { first_image: url, last_image: url };
    expect(refused({ ...pair, referenceImages: [url] })).toEqual(bad("referenceImages"));
    expect(refused({ ...pair, referenceImages: [] })).toBeNull();
  });
});

describe("V-D5 audios", () => {
  const referenceImages = [url];

  test("takes 3 and refuses a fourth", () => {
    expect(parse({ referenceImages, referenceAudios: times(3, sound) }).media).toHaveLength(4);
    expect(refused({ referenceImages, referenceAudios: times(4, sound) })).toEqual(
      bad("referenceAudios"),
    );
  });

  test("passes over what is no http address", () => {
    const referenceAudios = ["data:audio/mpeg;base64,AAAA", sound, "/a.mp3", sound, sound, 7];
    const { media } = parse({ referenceImages, referenceAudios });
    expect(media.slice(1).map(({ param }) => param)).toEqual([
      "referenceAudios.1",
      "referenceAudios.3",
      "referenceAudios.4",
    ]);
    expect(parse({ referenceAudios: ["/a.mp3"] }).media).toEqual([]);
  });

  test("refuses an address that is not public", () => {
    expect(refused({ referenceImages, referenceAudios: ["http://10.0.0.1/a.mp3"] })).toEqual(
      bad("referenceAudios.0"),
    );
  });

  test("needs a reference image", () => {
    expect(refused({ referenceAudios: [sound] })).toEqual(bad("referenceAudios"));
    const frames = { first_image: url, last_image: url };
    expect(refused({ ...frames, referenceAudios: [sound] })).toEqual(bad("referenceAudios"));
  });
});

describe("V-D6 videos", () => {
  test("only a pro model takes one, and only one", () => {
    expect(parse({ model: pro, referenceVideos: [film] }).media).toMatchObject([{ kind: "video" }]);
    expect(refused({ model: pro, referenceVideos: [film, film] })).toEqual(bad("referenceVideos"));
    expect(refused({ model: "videoD-h3-2k", referenceVideos: [film] })).toEqual(
      bad("referenceVideos"),
    );
    expect(refused({ model: "videoD-h3-2k", referenceVideos: [] })).toBeNull();
    expect(refused({ model: pro, referenceVideos: ["data:video/mp4;base64,AAAA"] })).toEqual(
      bad("referenceVideos.0"),
    );
  });

  test("it goes together with images, sounds and frames", () => {
    const model = pro;
    const referenceVideos = [film];
    const references = { referenceImages: [url], referenceAudios: [sound] };
    expect(parse({ model, referenceVideos, ...references }).media).toHaveLength(3);
    const frames = { first_image: url, last_image: url };
    expect(parse({ model, referenceVideos, ...frames }).media).toHaveLength(3);
  });
});

test("V-D7 a prompt has at most 7000 characters", () => {
  expect(parse({ prompt: "a".repeat(7000) }).prompt).toHaveLength(7000);
  expect(refused({ prompt: "🐈".repeat(7000) })).toBeNull();
  expect(refused({ prompt: "a".repeat(7001) })).toEqual(bad("prompt"));
  expect(refused({ prompt: "🐈".repeat(7001) })).toEqual(bad("prompt"));
});

test("V-D8 it is charged by the seconds that came out", () => {
  const job = parse({ duration: 10 });
  expect(videoD.units(job).seconds).toBe(10);
  expect(videoD.actual?.(job, { seconds: 6, tokens: null }).seconds).toBe(6);
  expect(videoD.actual?.(job, { seconds: null, tokens: null }).seconds).toBe(10);
});

test("V-D9 completed_at is 0 while it is worked on, and duration comes with completion", () => {
  const keys = "id task_id object model status progress created_at video_url".split(" ");
  const keysOf = (view: typeof created) => Object.keys(videoD.render(view)).toSorted();
  expect(keysOf(created)).toEqual(keys.toSorted());
  expect(keysOf(running)).toEqual([...keys, "completed_at"].toSorted());
  expect(keysOf(completed)).toEqual([...keys, "completed_at", "duration"].toSorted());
  expect(keysOf(failed)).toEqual([...keys, "completed_at", "error"].toSorted());
  expect(videoD.render(running)["completed_at"]).toBe(0);
  expect(videoD.render(completed)).toMatchObject({ completed_at: 1060, duration: 5 });
  const untold = { ...completed, delivered: { seconds: null, tokens: null }, job: parse() };
  expect(videoD.render(untold)["duration"]).toBe(5);
});

test("V-U1 the unified route's size is a ratio or a resolution", () => {
  const own = (fields: JsonObject) =>
    videoD.parse(
      videoD.unified?.({ model: "videoD-h3", prompt: "p", duration: 5, ...fields }) ?? {},
    );
  expect(own({ size: "9:16" })).toMatchObject({ ratio: "9:16", model: "videoD-h3-768p" });
  expect(own({ size: "2160x3840" })).toMatchObject({ ratio: "9:16", model: "videoD-h3-2k" });
  expect(own({ size: "2K" })).toMatchObject({ ratio: "16:9", model: "videoD-h3-2k" });
  expect(own({ image: png }).media).toMatchObject([{ role: "reference", param: "image" }]);
});
