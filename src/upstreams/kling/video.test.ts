// Videos by Kling against the sandbox's vendor.
import { describe, expect, test } from "bun:test";
import { videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import type { JsonObject } from "../../core/json.ts";
import {
  expectNoRefusal,
  expectRefusal,
  expectVideo,
  followVideo,
  pngMedia,
  replying,
} from "../kit/fixtures/vendors.ts";
import type { VideoCall } from "../upstream.ts";
import { kling } from "./index.ts";
import { find, start, status } from "./video.ts";

const model = "kling-v2-6";
const image = pngMedia("first-frame", "image");

test("it makes videos and nothing else", () => {
  expect(kling).toMatchObject({ type: "kling", video: { start, status, find } });
  expect(kling.text).toBeUndefined();
  expect(kling.video?.cancel).toBeUndefined();
});

describe("a job", () => {
  test.each([
    ["text2video", []],
    ["image2video", [image]],
    ["multi-image2video", [{ ...image, role: "reference" } as const]],
  ])("at %s runs until it ends in a link", async (kind, media) => {
    await using vendor = new VideoVendor("kling");
    const call = vendor.call({ model, taskId: "task_1" });
    const operation = await start(videoJob({ seconds: 10, tier: "pro", media }), {}, call);
    expect(operation).toStartWith(`${kind}/`);
    const progress = await followVideo(vendor, () => status(operation, call));
    expect(progress).toMatchObject({ kind: "completed", seconds: 10, tokens: null });
    expect((await expectVideo(progress)).headers).toEqual({});
  });

  test("that fails says so", async () => {
    await using vendor = new VideoVendor("kling");
    const call = vendor.call({ model });
    const operation = await start(videoJob({ prompt: "x sandbox:fail" }), {}, call);
    vendor.pass(3);
    expect(await status(operation, call)).toMatchObject({
      kind: "failed",
      code: "task_failed",
      message: "The video could not be generated",
    });
  });

  test("is made and asked for by a pair of keys", async () => {
    await using vendor = new VideoVendor("kling");
    const call = vendor.call({ model, key: "access-one:secret-of-access-one" });
    const operation = await start(videoJob(), {}, call);
    expect(await status(operation, call)).toMatchObject({ kind: "pending" });
    const wrong = vendor.call({ model, key: "access-one:guess" });
    await expectRefusal(start(videoJob(), {}, wrong), { blame: "key" });
  });
});

describe("a start", () => {
  test.each([
    ["sandbox:status=429", { blame: "load", retryAfterSeconds: 1 }],
    ["sandbox:status=401", { blame: "key" }],
    ["sandbox:status=500", { blame: "channel" }],
    ["sandbox:status=400", { blame: "request", status: 400, code: null }],
    ["sandbox:filter", { blame: "request", code: "content_policy_violation" }],
  ])("with %s is refused, and nothing was started", async (prompt, fault) => {
    await using vendor = new VideoVendor("kling");
    await expectRefusal(start(videoJob({ prompt }), {}, vendor.call({ model })), fault);
    expect(await vendor.jobs()).toEqual([]);
  });

  test.each(["sandbox:cut", "sandbox:garbage"])(
    "whose answer is lost by %s is found again",
    async (prompt) => {
      await using vendor = new VideoVendor("kling");
      const call = vendor.call({ model, taskId: "task_lost" });
      await expectNoRefusal(start(videoJob({ prompt }), {}, call));
      const found = await find(call);
      expect(found).toStartWith("text2video/");
      const id = found?.slice("text2video/".length);
      expect(await vendor.jobs()).toMatchObject([
        { vendor: "kling", id, reference: "task_lost", model },
      ]);
      expect(await find(vendor.call({ model, taskId: "task_other" }))).toBeNull();
    },
  );

  test.each<[string, number, JsonObject | null]>([
    ["no code", 200, {}],
    ["no id", 200, { code: 0, data: {} }],
    ["a page of a proxy", 502, null],
    ["a timeout", 504, { code: 5002, message: "late" }],
  ])("answered with %s may have begun", async (_, httpStatus, json) => {
    await expectNoRefusal(start(videoJob(), {}, replying(httpStatus, json)));
  });
});

test("a job is missing only where the vendor itself says so", async () => {
  expect(await find(replying(404, { code: 1203, message: "none" }))).toBeNull();
  await expect(find(replying(404, { error: "no route" }))).rejects.toThrow("status 404");
  await expect(find(replying(429, { code: 1302, message: "slow" }))).rejects.toThrow("slow");
});

test("words that are not known mean that the job goes on", async () => {
  const call = replying(200, { code: 0, data: { task_id: "1", task_status: "thinking" } });
  expect(await status("text2video/1", call)).toEqual({
    kind: "pending",
    status: "in_progress",
    progress: null,
  });
});

test("a job that is asked for in vain is neither pending nor failed", async () => {
  await expect(status("text2video/1", replying(404, { code: 1203 }))).rejects.toThrow();
  const empty = { code: 0, data: { task_status: "succeed", task_result: { videos: [] } } };
  await expect(status("text2video/1", replying(200, empty))).rejects.toThrow("no video");
  await expect(status("elsewhere/1", replying(200, empty))).rejects.toThrow("names no job");
});

test("a base URL may end with the version", async () => {
  const urls: string[] = [];
  for (const baseUrl of ["https://k.test", "https://k.test/", "https://k.test/v1"]) {
    const call = replying(200, { code: 0, data: { task_id: "a/b" } });
    const target = { baseUrl, key: "k", headers: { Authorization: "no", "X-Team": "t" } };
    const { send } = call;
    const watched: VideoCall = {
      ...call,
      target,
      send(request) {
        urls.push(request.address.url);
        expect(request.address.headers).toEqual({ authorization: "Bearer k", "x-team": "t" });
        return send(request);
      },
    };
    await status(await start(videoJob(), {}, watched), watched);
  }
  const made = "https://k.test/v1/videos/text2video";
  expect(new Set(urls)).toEqual(new Set([made, `${made}/a%2Fb`]));
});
