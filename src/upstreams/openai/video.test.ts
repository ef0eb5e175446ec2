// Videos on the Sora wire against the sandbox's vendor.
import { describe, expect, test } from "bun:test";
import { videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import type { VideoJob } from "../../families/video-job.ts";
import {
  expectNoRefusal,
  expectRefusal,
  expectVideo,
  pngMedia,
  videoFacet,
} from "../kit/fixtures/vendors.ts";
import { VendorRefusal } from "../upstream.ts";
import { openai } from "./index.ts";

const facet = videoFacet(openai);

const image = pngMedia("reference", "input_reference");

describe("a job", () => {
  test("goes from queued to a file that only the key opens", async () => {
    await using vendor = new VideoVendor("openai");
    const call = vendor.call({ model: "sora-2" });
    const job = videoJob({ seconds: 8, size: { width: 1280, height: 720 } });
    const operation = await facet.start(job, {}, call);
    expect(await facet.status(operation, call)).toEqual({
      kind: "pending",
      status: "queued",
      progress: 0,
    });
    vendor.pass(1);
    expect(await facet.status(operation, call)).toEqual({
      kind: "pending",
      status: "in_progress",
      progress: 50,
    });
    vendor.pass(1);
    const progress = await facet.status(operation, call);
    expect(progress).toMatchObject({ kind: "completed", seconds: 8, tokens: null });
    const { url } = await expectVideo(progress);
    expect((await fetch(url)).status).toBe(401);
  });

  test("that fails says why, and one that is filtered has a code of ours", async () => {
    await using vendor = new VideoVendor("openai");
    const call = vendor.call();
    const failing = await facet.start(videoJob({ prompt: "x sandbox:fail" }), {}, call);
    const filtered = await facet.start(videoJob({ prompt: "x sandbox:filter" }), {}, call);
    vendor.pass(3);
    expect(await facet.status(failing, call)).toMatchObject({
      kind: "failed",
      code: "video_generation_failed",
    });
    expect(await facet.status(filtered, call)).toMatchObject({
      kind: "failed",
      code: "content_policy_violation",
    });
  });

  test("with an image in bytes uploads it as a file", async () => {
    await using vendor = new VideoVendor("openai");
    const job = videoJob({ media: [image], seconds: 5, extras: { style: "ink" } });
    expect(await facet.start(job, {}, vendor.call())).toStartWith("video_");
    const odd = videoJob({ media: [image], seconds: 4 });
    const begun = facet.start(odd, {}, vendor.call({ model: "sora-2" }));
    await expectRefusal(begun, { blame: "request", param: "input_reference" });
  });

  test("with an image by its address hands the address on", async () => {
    await using vendor = new VideoVendor("openai");
    const source = { kind: "url", url: "https://example.com/a.png" } as const;
    const job = videoJob({ media: [{ ...image, source }], ratio: "9:16", resolution: "1080p" });
    const call = vendor.call();
    const operation = await facet.start(job, {}, call);
    const { json } = await call.send({
      method: "GET",
      address: {
        url: `${call.target.baseUrl}/v1/videos/${operation}`,
        headers: { authorization: `Bearer ${call.target.key}` },
      },
    });
    expect(json).toMatchObject({ size: "1080x1920", seconds: "4", model: "some-model" });
  });
});

describe("a start", () => {
  test.each([
    [400, "request"],
    [401, "key"],
    [429, "load"],
    [500, "channel"],
  ])("refused with %d blames the %s, and nothing was started", async (status, blame) => {
    await using vendor = new VideoVendor("openai");
    const job = videoJob({ prompt: `x sandbox:status=${status}` });
    await expectRefusal(facet.start(job, {}, vendor.call()), { blame });
    expect(await vendor.jobs()).toEqual([]);
  });

  test.each(["cut", "garbage", "status=504"])("with sandbox:%s is no refusal", async (fault) => {
    await using vendor = new VideoVendor("openai");
    const made = facet.start(videoJob({ prompt: `x sandbox:${fault}` }), {}, vendor.call());
    await expectNoRefusal(made);
  });

  test("that was cut off did start", async () => {
    await using vendor = new VideoVendor("openai");
    await expectNoRefusal(facet.start(videoJob({ prompt: "x sandbox:cut" }), {}, vendor.call()));
    expect(await vendor.jobs()).toMatchObject([{ vendor: "openai", state: "queued" }]);
  });
});

test("a job that another key made cannot be asked about", async () => {
  await using vendor = new VideoVendor("openai");
  const operation = await facet.start(videoJob(), {}, vendor.call());
  const other = vendor.call({ key: "sk-sandbox-other" });
  await expect(facet.status(operation, other)).rejects.toBeInstanceOf(VendorRefusal);
});

describe("what the wire has no words for", () => {
  test.each<[string | null, Partial<VideoJob>]>([
    [null, { seconds: 30, size: { width: 640, height: 480 }, tier: "normal", audio: true }],
    [null, { ratio: "16:9", resolution: "720p", watermark: false }],
    ["negative_prompt", { negativePrompt: "rain" }],
    ["seconds", { seconds: 4.5 }],
    ["mode", { tier: "pro" }],
    ["generate_audio", { audio: false }],
    ["watermark", { watermark: true }],
    ["seed", { seed: 0 }],
    ["aspect_ratio", { ratio: "1:1" }],
    ["resolution", { resolution: "480p" }],
    [null, { media: [image] }],
    [null, { media: [{ ...image, role: "first-frame" }] }],
    ["images.1", { media: [image, { ...image, param: "images.1" }] }],
    ["last_image", { media: [{ ...image, role: "last-frame", param: "last_image" }] }],
    ["video", { media: [{ ...image, kind: "video", role: "source", param: "video" }] }],
    ["a", { media: [{ ...image, source: { kind: "asset", id: "x" }, param: "a" }] }],
  ])("%p is named for %j", (field, said) => {
    expect(facet.lacks(videoJob(said))).toBe(field);
  });
});
