// Videos by MiniMax against the sandbox's vendor.
import { describe, expect, test } from "bun:test";
import { tinyPng, videoCall, videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import type { JsonObject } from "../../core/json.ts";
import type { JobMedia } from "../../families/video-job.ts";
import { VendorRefusal, type VideoCall } from "../upstream.ts";
import { minimax } from "./index.ts";
import { start, status } from "./video.ts";

const model = "MiniMax-H3";
const image: JobMedia = {
  kind: "image",
  role: "reference",
  source: { kind: "bytes", type: "image/png", base64: tinyPng },
  param: "referenceImages.0",
};

async function refusalOf(prompt: string, call: VideoCall): Promise<unknown> {
  return start(videoJob({ prompt }), {}, call).catch((error: unknown) => error);
}

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
    expect(await status(operation, call)).toMatchObject({ kind: "pending", status: "queued" });
    vendor.pass(1);
    expect(await status(operation, call)).toEqual({
      kind: "pending",
      status: "in_progress",
      progress: null,
    });
    vendor.pass(1);
    const progress = await status(operation, call);
    expect(progress).toMatchObject({ kind: "completed", seconds: 6, tokens: null });
    if (progress.kind !== "completed" || progress.result.kind !== "url") throw new Error("no url");
    expect(progress.result.url).toContain("768x768-6s");
    const content = await fetch(progress.result.url);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    expect((await content.bytes()).length).toBeGreaterThan(1000);
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
    ["sandbox:status=402", { blame: "key" }],
    ["sandbox:status=500", { blame: "channel" }],
    ["sandbox:status=422", { blame: "request", code: "content_policy_violation" }],
  ])("with %s is refused, and nothing was started", async (prompt, fault) => {
    await using vendor = new VideoVendor("minimax");
    const error = await refusalOf(prompt, vendor.call({ model }));
    expect(error).toBeInstanceOf(VendorRefusal);
    expect(error).toMatchObject({ fault });
    expect(await vendor.jobs()).toEqual([]);
  });

  test.each(["sandbox:cut", "sandbox:garbage"])("by %s may have begun", async (prompt) => {
    await using vendor = new VideoVendor("minimax");
    const error = await refusalOf(prompt, vendor.call({ model }));
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(VendorRefusal);
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
])("a task that is %s", async (word, progress) => {
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

function replying(httpStatus: number, json: JsonObject | null): VideoCall {
  const reply = { status: httpStatus, headers: new Headers(), json };
  return { ...videoCall("https://m.test", { model }), send: async () => reply };
}
