// Videos by Ark against the sandbox's vendor.
import { describe, expect, test } from "bun:test";
import { videoCall, videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
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
import { ark } from "./index.ts";
import { cancel, find, start, status } from "./video.ts";

const model = "doubao-seedance-2-0-260128";
const image = pngMedia("first-frame", "first_image");

test("it makes videos, and no text", () => {
  expect(ark).toMatchObject({ type: "ark", video: { start, status, find, cancel } });
  expect(ark.text).toBeUndefined();
});

describe("a job", () => {
  test.each([[[]], [[image]]])("runs until it ends in a link", async (media) => {
    await using vendor = new VideoVendor("ark");
    const call = vendor.call({ model, taskId: "task_1" });
    const job = videoJob({ seconds: 4, ratio: "9:16", resolution: "480p", audio: true, media });
    const operation = await start(job, {}, call);
    expect(operation).toStartWith("cgt-");
    const progress = await followVideo(vendor, () => status(operation, call));
    expect(progress).toMatchObject({ kind: "completed", seconds: 4, tokens: 86_400 });
    const { url, headers } = await expectVideo(progress);
    expect(headers).toEqual({});
    expect(url).toContain("496x864-4s");
    expect(await vendor.jobs()).toMatchObject([{ vendor: "ark", reference: "task_1", model }]);
  });

  test("that fails says so, and one that was filtered says why", async () => {
    await using vendor = new VideoVendor("ark");
    const call = vendor.call({ model });
    const failing = await start(videoJob({ prompt: "x sandbox:fail" }), {}, call);
    const filtered = await start(videoJob({ prompt: "x sandbox:filter" }), {}, call);
    vendor.pass(3);
    expect(await status(failing, call)).toEqual({
      kind: "failed",
      code: "InternalServiceError",
      message: "The video could not be generated.",
    });
    expect(await status(filtered, call)).toMatchObject({
      kind: "failed",
      code: "content_policy_violation",
    });
  });

  test("can be cancelled while it waits, and not later", async () => {
    await using vendor = new VideoVendor("ark");
    const call = vendor.call({ model });
    const waiting = await start(videoJob(), {}, call);
    expect(await cancel(waiting, call)).toBe(true);
    expect(await cancel(waiting, call)).toBe(true);
    expect(await status(waiting, call)).toMatchObject({ kind: "failed", code: "task_cancelled" });
    const running = await start(videoJob(), {}, call);
    vendor.pass(1);
    expect(await cancel(running, call)).toBe(false);
    vendor.pass(1);
    expect(await cancel(running, call)).toBe(false);
    expect(await status(running, call)).toMatchObject({ kind: "completed" });
  });
});

describe("a start", () => {
  test.each([
    ["sandbox:status=429", { blame: "load", retryAfterSeconds: 1 }],
    ["sandbox:status=401", { blame: "key" }],
    ["sandbox:status=500", { blame: "channel" }],
    ["sandbox:status=400", { blame: "request", status: 400, code: "InvalidParameter" }],
  ])("with %s is refused, and nothing was started", async (prompt, fault) => {
    await using vendor = new VideoVendor("ark");
    await expectRefusal(start(videoJob({ prompt }), {}, vendor.call({ model })), fault);
    expect(await vendor.jobs()).toEqual([]);
  });

  test("with a revoked key is the key's fault", async () => {
    await using vendor = new VideoVendor("ark");
    const call = vendor.call({ model, key: "sk-sandbox-revoked" });
    await expectRefusal(start(videoJob(), {}, call), { blame: "key" });
  });

  test.each(["sandbox:cut", "sandbox:garbage"])(
    "whose answer is lost by %s is found again",
    async (prompt) => {
      await using vendor = new VideoVendor("ark");
      const call = vendor.call({ model, taskId: "task_lost" });
      expect(await find(call)).toBeNull();
      await start(videoJob(), {}, vendor.call({ model, taskId: "task_before" }));
      await expectNoRefusal(start(videoJob({ prompt }), {}, call));
      await start(videoJob(), {}, vendor.call({ model, taskId: "task_after" }));
      const id = await find(call);
      expect(await vendor.jobs()).toContainEqual(
        expect.objectContaining({ vendor: "ark", id, reference: "task_lost" }),
      );
      expect(await find(vendor.call({ model, taskId: "task_other" }))).toBeNull();
    },
  );

  test.each<[string, number, JsonObject | null]>([
    ["no id", 200, {}],
    ["no JSON", 200, null],
    ["a page of a proxy", 502, null],
    ["a timeout", 504, { error: { code: "InternalServiceError" } }],
  ])("answered with %s may have begun", async (_, httpStatus, json) => {
    await expectNoRefusal(start(videoJob(), {}, replying(httpStatus, json)));
  });
});

describe("a lost task", () => {
  test("is not found on a later page", async () => {
    const call = videoCall("https://a.test", { taskId: "task_lost" });
    const urls: string[] = [];
    const send: VideoCall["send"] = async ({ address }) => {
      urls.push(address.url);
      const items = [{ id: `cgt-${urls.length}`, safety_identifier: `task_${urls.length}` }];
      return { status: 200, headers: new Headers(), json: { total: 2, items } };
    };
    expect(await find({ ...call, send })).toBeNull();
    expect(await find({ ...call, taskId: "task_4", send })).toBe("cgt-4");
    const list = "https://a.test/api/v3/contents/generations/tasks";
    expect(urls.slice(0, 2)).toEqual([
      `${list}?page_num=1&page_size=100`,
      `${list}?page_num=2&page_size=100`,
    ]);
  });

  test("may be any of those that do not show what they were made with", async () => {
    const nameless = { total: 1, items: [{ id: "cgt-1" }] };
    await expect(find(replying(200, nameless))).rejects.toThrow("does not tell");
    const endless = { total: 9999, items: [{ id: "cgt-1", safety_identifier: "other" }] };
    await expect(find(replying(200, endless))).rejects.toThrow("does not tell");
    await expect(find(replying(200, {}))).rejects.toThrow("no list");
  });
});

test.each([
  ["expired", { kind: "failed", code: "task_expired" }],
  ["cancelled", { kind: "failed", code: "task_cancelled" }],
  ["failed", { kind: "failed", code: "task_failed" }],
  ["thinking", { kind: "pending", status: "in_progress", progress: null }],
])("a task that is %s is told in the gateway's words", async (word, progress) => {
  expect(await status("cgt-1", replying(200, { status: word }))).toMatchObject(progress);
});

test("a task that is asked for in vain is neither pending nor failed", async () => {
  const missing = { error: { code: "ResourceNotFound", message: "gone" } };
  await expect(status("cgt-1", replying(404, missing))).rejects.toThrow("gone");
  const empty = { status: "succeeded", content: {} };
  await expect(status("cgt-1", replying(200, empty))).rejects.toThrow("no video");
});

test.each(["", "/", "/api/v3", "/api/v3/"])("a base URL may end with '%s'", async (end) => {
  const call = videoCall(`https://a.test/deep${end}`);
  const send: VideoCall["send"] = async ({ address }) => {
    expect(address.url).toBe("https://a.test/deep/api/v3/contents/generations/tasks/a%2Fb");
    return { status: 200, headers: new Headers(), json: { status: "queued" } };
  };
  expect(await status("a/b", { ...call, send })).toMatchObject({ kind: "pending" });
});
