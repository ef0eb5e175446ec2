// Videos by MiniMax against the sandbox's vendor.
import { describe, expect, test } from "bun:test";
import { videoCall, videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import {
  expectNoRefusal,
  expectRefusal,
  expectVideo,
  followVideo,
  pngMedia,
  replying,
} from "../kit/fixtures/vendors.ts";
import type { VideoCall } from "../upstream.ts";
import { minimax } from "./index.ts";
import { start, status } from "./video.ts";

const model = "MiniMax-H3";
const image = pngMedia("reference", "referenceImages.0");

test("it makes videos and can neither find nor stop them", () => {
  expect(minimax).toMatchObject({ type: "minimax", video: { start, status } });
  expect(minimax.text).toBeUndefined();
  expect(minimax.video?.find).toBeUndefined();
  expect(minimax.video?.cancel).toBeUndefined();
});

describe("a job", () => {
  test.each([[[]], [[image]]])("runs until it ends in a link", async (media) => {
    await using vendor = new VideoVendor("minimax");
    const call = vendor.call({ model });
    const job = videoJob({ seconds: 6, ratio: "1:1", resolution: "768p", media });
    const operation = await start(job, {}, call);
    const progress = await followVideo(vendor, () => status(operation, call));
    expect(progress).toMatchObject({ kind: "completed", seconds: 6, tokens: null });
    const { url, headers } = await expectVideo(progress);
    expect(headers).toEqual({});
    expect(url).toContain("768x768-6s");
  });

  test("that fails says so, and one that was filtered says why", async () => {
    await using vendor = new VideoVendor("minimax");
    const call = vendor.call({ model });
    const failing = await start(videoJob({ prompt: "x sandbox:fail" }), {}, call);
    const filtered = await start(videoJob({ prompt: "x sandbox:filter" }), {}, call);
    vendor.pass(3);
    expect(await status(failing, call)).toEqual({
      kind: "failed",
      code: "1000",
      message: "The video could not be generated.",
    });
    expect(await status(filtered, call)).toMatchObject({
      kind: "failed",
      code: "content_policy_violation",
    });
  });
});

describe("a start", () => {
  test.each([
    ["sandbox:status=429", { blame: "load", retryAfterSeconds: 1 }],
    ["sandbox:status=402", { blame: "suspect", isOfCredit: true }],
    ["sandbox:status=500", { blame: "channel" }],
    ["sandbox:status=422", { blame: "request", code: "content_policy_violation" }],
  ])("with %s is refused, and nothing was started", async (prompt, fault) => {
    await using vendor = new VideoVendor("minimax");
    await expectRefusal(start(videoJob({ prompt }), {}, vendor.call({ model })), fault);
    expect(await vendor.jobs()).toEqual([]);
  });

  test.each(["sandbox:cut", "sandbox:garbage"])("by %s may have begun", async (prompt) => {
    await using vendor = new VideoVendor("minimax");
    await expectNoRefusal(start(videoJob({ prompt }), {}, vendor.call({ model })));
    expect(await vendor.jobs()).toMatchObject([{ vendor: "minimax", reference: null, model }]);
  });
});

test("what the vendor charges by comes before what was asked for", async () => {
  const content = { url: "https://m.test/x.mp4" };
  const task = { status: "succeeded", content, duration: 5, usage: { output_seconds: 6 } };
  expect(await status("1", replying(200, { task }))).toEqual({
    kind: "completed",
    result: { kind: "url", url: "https://m.test/x.mp4", headers: {} },
    seconds: 6,
    tokens: null,
  });
  const unmetered = { status: "succeeded", content, duration: 5 };
  expect(await status("1", replying(200, { task: unmetered }))).toMatchObject({ seconds: 5 });
});

test.each([
  ["expired", { kind: "failed", code: "task_expired" }],
  ["cancelled", { kind: "failed", code: "task_cancelled" }],
  ["thinking", { kind: "pending", status: "in_progress", progress: null }],
])("a task that is %s is told in the gateway's words", async (word, progress) => {
  expect(await status("1", replying(200, { task: { status: word } }))).toMatchObject(progress);
});

test("a task that is asked for in vain is neither pending nor failed", async () => {
  await expect(status("1", replying(404, null))).rejects.toThrow("status 404");
  const task = { status: "succeeded", content: {} };
  await expect(status("1", replying(200, { task }))).rejects.toThrow("no video");
});

test.each(["", "/", "/v1", "/v2"])("a base URL may end with '%s'", async (end) => {
  const call = videoCall(`https://m.test${end}`, { model });
  const send: VideoCall["send"] = async ({ address }) => {
    expect(address.url).toBe("https://m.test/v2/query/video_generation/a%2Fb");
    return { status: 200, headers: new Headers(), json: { task: { status: "queued" } } };
  };
  expect(await status("a/b", { ...call, send })).toMatchObject({ kind: "pending" });
});
