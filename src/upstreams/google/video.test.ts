// Videos by Veo against the sandbox's vendor.
import { describe, expect, test } from "bun:test";
import { videoCall, videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import {
  expectNoRefusal,
  expectRefusal,
  expectVideo,
  pngMedia,
  videoFacet,
} from "../kit/fixtures/vendors.ts";
import { google } from "./index.ts";
import { toRequest } from "../kit/google/video-request.ts";

const facet = videoFacet(google);

const first = pngMedia("first-frame", "image");
const last = pngMedia("last-frame", "last_image");
const reference = pngMedia("reference", "images.0");
const clip: JobMedia = {
  kind: "video",
  role: "source",
  source: { kind: "bytes", type: "video/mp4", base64: "AAAA" },
  param: "video",
};

describe("a job", () => {
  test("runs until it ends in a file that only the key opens", async () => {
    await using vendor = new VideoVendor("google");
    const call = vendor.call({ model: "models/veo-3.1" });
    const job = videoJob({ seconds: 8, size: { width: 1920, height: 1080 } });
    const operation = await facet.start(job, {}, call);
    expect(operation).toStartWith("models/veo-3.1/operations/");
    vendor.pass(1);
    expect(await facet.status(operation, call)).toEqual({
      kind: "pending",
      status: "in_progress",
      progress: null,
    });
    vendor.pass(1);
    const progress = await facet.status(operation, call);
    const { url } = await expectVideo(progress);
    expect((await fetch(url)).status).toBe(403);
  });

  test("that fails says so, and one without a video was filtered", async () => {
    await using vendor = new VideoVendor("google");
    const call = vendor.call();
    const failing = await facet.start(videoJob({ prompt: "x sandbox:fail" }), {}, call);
    const filtered = await facet.start(videoJob({ prompt: "x sandbox:filter" }), {}, call);
    vendor.pass(3);
    expect(await facet.status(failing, call)).toMatchObject({
      kind: "failed",
      code: "task_failed",
      message: expect.stringContaining("internal"),
    });
    expect(await facet.status(filtered, call)).toMatchObject({
      kind: "failed",
      code: "content_policy_violation",
      message: expect.stringContaining("filtered"),
    });
  });

  test.each<[string, Partial<VideoJob>]>([
    ["one frame", { media: [first], seconds: 4 }],
    ["two frames", { media: [first, last], seconds: 6 }],
    ["references", { media: [reference, reference] }],
    ["one reference, which is where it begins", { media: [reference], seconds: 4 }],
    ["a clip", { media: [clip] }],
    ["fine pictures", { ratio: "9:16", resolution: "4k" }],
    ["all words", { negativePrompt: "rain", extras: { person_generation: "allow_adult", x: 1 } }],
  ])("with %s is taken", async (_title, said) => {
    await using vendor = new VideoVendor("google");
    const job = videoJob(said);
    expect(facet.lacks(job)).toBeNull();
    expect(await facet.start(job, {}, vendor.call())).toContain("/operations/");
  });
});

describe("a start", () => {
  test.each([
    [400, "request"],
    [403, "suspect"],
    [429, "load"],
    [503, "channel"],
  ])("refused with %d blames the %s, and nothing was started", async (status, blame) => {
    await using vendor = new VideoVendor("google");
    const job = videoJob({ prompt: `x sandbox:status=${status}` });
    await expectRefusal(facet.start(job, {}, vendor.call()), { blame });
    expect(await vendor.jobs()).toEqual([]);
  });

  test("that was cut off is no refusal, for it did start", async () => {
    await using vendor = new VideoVendor("google");
    await expectNoRefusal(facet.start(videoJob({ prompt: "x sandbox:cut" }), {}, vendor.call()));
    expect(await vendor.jobs()).toMatchObject([{ vendor: "google", state: "queued" }]);
  });

  test("for a model whose name leads elsewhere is never sent", async () => {
    const call = videoCall("http://127.0.0.1:1", { model: "../x" });
    await expectRefusal(facet.start(videoJob(), {}, call), {});
  });
});

test("the key goes to no other host than the vendor's", async () => {
  const uri = "https://elsewhere.example/v.mp4";
  const response = { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } };
  using server = Bun.serve({ port: 0, fetch: () => Response.json({ done: true, response }) });
  const progress = await facet.status("models/m/operations/1", videoCall(server.url.origin));
  expect(progress).toMatchObject({ result: { kind: "url", url: uri, headers: {} } });
});

test("sizes become ratios and resolutions, and what needs full length gets it", () => {
  const size = { width: 720, height: 1280 };
  expect(toRequest(videoJob({ size }), "veo-3.1", { isVertex: false })["parameters"]).toEqual({
    sampleCount: 1,
    aspectRatio: "9:16",
    resolution: "720p",
  });
  expect(
    toRequest(videoJob({ media: [reference, reference] }), "veo-3.1", { isVertex: false })[
      "parameters"
    ],
  ).toEqual({
    sampleCount: 1,
    durationSeconds: 8,
  });
});

describe("what the vendor cannot do", () => {
  const link: JobMedia = { ...first, source: { kind: "url", url: "https://a.example/b.png" } };
  const fourth: JobMedia = { ...reference, param: "images.3" };

  test.each<[string | null, Partial<VideoJob>]>([
    [null, { seconds: 6, audio: true, watermark: false, tier: "normal" }],
    ["duration", { seconds: 10 }],
    ["duration", { seconds: 4, resolution: "1080p" }],
    ["duration", { seconds: 6, media: [reference, reference] }],
    ["size", { size: { width: 640, height: 480 } }],
    ["aspect_ratio", { ratio: "adaptive" }],
    ["resolution", { resolution: "480p" }],
    ["mode", { tier: "pro" }],
    ["generate_audio", { audio: false }],
    ["watermark", { watermark: true }],
    ["seed", { seed: 7 }],
    ["image", { media: [link] }],
    ["last_image", { media: [last] }],
    ["images.0", { media: [first, reference] }],
    ["images.3", { media: [reference, reference, reference, fourth] }],
    ["video", { media: [first, clip] }],
    ["image", { media: [first, first] }],
  ])("%p is named for %j", (field, said) => {
    expect(facet.lacks(videoJob(said))).toBe(field);
  });
});
