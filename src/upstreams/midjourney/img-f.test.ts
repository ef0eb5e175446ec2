// imgF by the midjourney-proxy dialect against the sandbox's vendor.
import { describe, expect, test } from "bun:test";
import { VideoVendor } from "../../../test/harness/video-vendor.ts";
import { readImageSize } from "../../core/image-size.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseImgF } from "../../families/index.ts";
import type { ImgFAction, ImgFJob } from "../../families/img-f-job.ts";
import {
  expectNoRefusal,
  expectRefusal,
  replying as vendorReplying,
} from "../kit/fixtures/vendors.ts";
import type { ImgFCall, ImgFProgress } from "../upstream.ts";
import { find, start, status } from "./img-f.ts";
import { midjourney } from "./index.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\0", "latin1").toString("base64");
const uri = `data:image/png;base64,${png}`;

function job(action: ImgFAction, body: JsonObject): ImgFJob {
  return parseImgF(action, body);
}

/** A parent's own id is known to the flow above alone. */
function child(action: ImgFAction, body: JsonObject): ImgFJob {
  return job(action, { taskId: "task_parent", ...body });
}

function callOf(vendor: VideoVendor, taskId = "task_1", parent: string | null = null): ImgFCall {
  return { ...vendor.call({ taskId }), parent };
}

function replying(httpStatus: number, json: Json): ImgFCall {
  return { ...vendorReplying(httpStatus, json), parent: null };
}

async function finish(vendor: VideoVendor, asked: ImgFJob, call: ImgFCall): Promise<string> {
  const { operation } = await start(asked, call);
  vendor.pass(3);
  return operation;
}

function customIdOf({ buttons }: ImgFProgress, label: string): string {
  const button = buttons.filter(isObject).find((one) => one["label"] === label);
  return String(button?.["customId"]);
}

async function pictureOf({ result }: ImgFProgress) {
  if (result?.kind !== "url") throw new Error("no picture");
  const response = await fetch(result.url);
  return readImageSize(response.headers.get("content-type") ?? "", await response.bytes());
}

test("it does imgF and nothing else", () => {
  expect(midjourney).toMatchObject({ type: "midjourney", imgF: { start, status, find } });
  expect(midjourney.text ?? midjourney.video ?? midjourney.image).toBeUndefined();
});

describe("a job", () => {
  test("runs until it ends in a picture and buttons", async () => {
    await using vendor = new VideoVendor("midjourney");
    const call = callOf(vendor);
    const asked = job("imagine", { prompt: "a fox --ar 16:9", base64Array: [uri] });
    const { operation, code } = await start(asked, call);
    expect(code).toBe(1);
    expect(await status(operation, call)).toMatchObject({ kind: "pending", progress: 0 });
    vendor.pass(1);
    const half = await status(operation, call);
    expect(half).toMatchObject({ kind: "pending", progress: 50, result: null, buttons: [] });
    vendor.pass(1);
    const done = await status(operation, call);
    expect(done).toMatchObject({
      kind: "completed",
      progress: 100,
      promptEn: "a fox --ar 16:9",
      properties: { finalPrompt: "a fox --ar 16:9" },
    });
    expect(Object.keys(done.properties)).toEqual(["finalPrompt"]);
    expect(await pictureOf(done)).toEqual({ width: 1820, height: 1024 });
    expect(await vendor.jobs()).toMatchObject([
      { vendor: "midjourney", id: operation, reference: "task_1", state: "succeeded" },
    ]);
  });

  test("goes on from another, by a change and by a button", async () => {
    await using vendor = new VideoVendor("midjourney");
    const first = await finish(vendor, job("imagine", { prompt: "a fox" }), callOf(vendor));
    const call = callOf(vendor, "task_2", first);
    const second = await finish(vendor, child("change", { action: "UPSCALE", index: 2 }), call);
    const single = await status(second, call);
    expect(await pictureOf(single)).toEqual({ width: 512, height: 512 });
    const next = callOf(vendor, "task_3", second);
    const customId = customIdOf(single, "Zoom Out 2x");
    const third = await finish(vendor, child("action", { customId }), next);
    expect(await pictureOf(await status(third, next))).toEqual({ width: 1024, height: 1024 });
    const again = callOf(vendor, "task_4", third);
    const { code } = await start(child("change", { action: "REROLL" }), again);
    expect(code).toBe(1);
  });

  test("waits for a modal where a button asks for more", async () => {
    await using vendor = new VideoVendor("midjourney");
    const grid = await finish(vendor, job("imagine", { prompt: "a fox" }), callOf(vendor));
    const up = callOf(vendor, "task_2", grid);
    const single = await finish(vendor, child("change", { action: "UPSCALE", index: 1 }), up);
    const customId = customIdOf(await status(single, up), "Vary (Region)");
    const third = callOf(vendor, "task_3", single);
    const waiting = await start(child("action", { customId }), third);
    expect(waiting.code).toBe(21);
    vendor.pass(60);
    expect(await status(waiting.operation, third)).toMatchObject({ kind: "modal", result: null });
    const fourth = callOf(vendor, "task_4", waiting.operation);
    const asked = child("modal", { prompt: "a hat --ar 2:1", maskBase64: uri });
    const operation = await finish(vendor, asked, fourth);
    expect(operation).toBe(waiting.operation);
    const done = await status(operation, fourth);
    expect(done).toMatchObject({ kind: "completed", promptEn: "a hat --ar 2:1" });
    expect(await pictureOf(done)).toEqual({ width: 2048, height: 1024 });
  });

  test("behind others waits in a queue", async () => {
    await using vendor = new VideoVendor("midjourney");
    const asked = job("imagine", { prompt: "a fox" });
    const submit = async () => (await start(asked, callOf(vendor))).code;
    expect([await submit(), await submit(), await submit()]).toEqual([1, 1, 1]);
    vendor.pass(1);
    expect(await submit()).toBe(22);
    vendor.pass(1);
    expect(await submit()).toBe(1);
  });

  test("blends and describes", async () => {
    await using vendor = new VideoVendor("midjourney");
    const call = callOf(vendor);
    const blend = job("blend", { base64Array: [uri, uri], dimensions: "LANDSCAPE" });
    const blended = await finish(vendor, blend, call);
    expect(await pictureOf(await status(blended, call))).toEqual({ width: 1536, height: 1024 });
    await start(job("blend", { base64Array: [uri, uri] }), call);
    const described = await finish(vendor, job("describe", { base64: uri }), call);
    const done = await status(described, call);
    expect(done.kind).toBe("completed");
    expect(done.promptEn).toContain("1️⃣ ");
  });

  test("that fails says why", async () => {
    await using vendor = new VideoVendor("midjourney");
    const call = callOf(vendor);
    const operation = await finish(vendor, job("imagine", { prompt: "x sandbox:fail" }), call);
    expect(await status(operation, call)).toMatchObject({
      kind: "failed",
      failReason: "The picture could not be made.",
      result: null,
    });
  });
});

describe("a start", () => {
  test.each([
    ["sandbox:status=429", { blame: "load" }],
    ["sandbox:status=401", { blame: "key" }],
    ["sandbox:status=500", { blame: "channel" }],
    ["sandbox:status=400", { blame: "request", status: 400, code: null }],
    ["sandbox:filter", { blame: "request", code: "content_policy_violation" }],
  ])("with %s is refused, and nothing was started", async (prompt, fault) => {
    await using vendor = new VideoVendor("midjourney");
    await expectRefusal(start(job("imagine", { prompt }), callOf(vendor)), fault);
    expect(await vendor.jobs()).toEqual([]);
  });

  test("that goes on from what is not there, or has not ended, is refused", async () => {
    await using vendor = new VideoVendor("midjourney");
    const change = child("change", { action: "UPSCALE", index: 1 });
    const { operation } = await start(job("imagine", { prompt: "a fox" }), callOf(vendor));
    for (const parent of ["nothing", operation]) {
      const error: unknown = await start(change, callOf(vendor, "task_2", parent)).catch((e) => e);
      expect(error).toMatchObject({ name: "VendorRefusal", fault: { blame: "request" } });
    }
    await expect(start(change, callOf(vendor))).rejects.toThrow("does not name it");
  });

  test.each(["sandbox:cut", "sandbox:garbage"])(
    "whose answer is lost by %s is found again",
    async (prompt) => {
      await using vendor = new VideoVendor("midjourney");
      const call = callOf(vendor, "task_lost");
      await expectNoRefusal(start(job("imagine", { prompt }), call));
      const found = await find(call);
      expect(await vendor.jobs()).toMatchObject([{ id: found, reference: "task_lost" }]);
      expect(await find(callOf(vendor, "task_other"))).toBeNull();
    },
  );

  test.each<[string, number, Json]>([
    ["nothing", 200, null],
    ["no number", 200, {}],
    ["no task", 200, { code: 1, description: "ok" }],
    ["a number that is not known", 200, { code: 30, description: "?", result: "1" }],
    ["a page of a proxy", 502, null],
    ["a timeout", 504, { code: 9 }],
  ])("answered with %s may have begun", async (_, httpStatus, json) => {
    const call = replying(httpStatus, json);
    await expectNoRefusal(start(job("imagine", { prompt: "p" }), call));
  });

  test.each([1, 21, 22] as const)("with the number %d is taken", async (code) => {
    const asked = job("imagine", { prompt: "p" });
    expect(await start(asked, replying(200, { code, result: "7" }))).toEqual({
      operation: "7",
      code,
    });
    expect(await start(asked, replying(200, { code, result: 7 }))).toMatchObject({
      operation: "7",
    });
  });
});

test("a task that is asked for in vain is neither pending nor failed", async () => {
  await using vendor = new VideoVendor("midjourney");
  await expect(status("nothing", callOf(vendor))).rejects.toThrow("could not be read");
  await expect(
    status("1", replying(200, { status: "SUCCESS", action: "IMAGINE" })),
  ).rejects.toThrow("no image");
  await expect(find(replying(404, { code: 9 }))).rejects.toThrow("does not list");
  await expect(find(replying(200, {}))).rejects.toThrow("does not list");
});

test.each([
  ["NOT_START", "pending"],
  ["SUBMITTED", "pending"],
  ["IN_PROGRESS", "pending"],
  ["constructor", "pending"],
  ["", "pending"],
  ["MODAL", "modal"],
  ["FAILURE", "failed"],
  ["CANCEL", "failed"],
])("the status %s means %s", async (word, kind) => {
  const call = replying(200, { status: word, progress: "37%", imageUrl: "https://p.test/a.png" });
  expect(await status("1", call)).toMatchObject({ kind, progress: 37, result: null });
});

test("a base URL may end with the last part, and a mode stays", async () => {
  const urls: string[] = [];
  const bases = [
    "https://p.test",
    "https://p.test/",
    "https://p.test/mj",
    "https://p.test/mj-fast",
  ];
  for (const baseUrl of bases) {
    const call = replying(200, { code: 1, result: "a/b" });
    const target = { baseUrl, key: "k", headers: { "MJ-API-Secret": "no", "X-Team": "t" } };
    const watched: ImgFCall = {
      ...call,
      target,
      send(request) {
        urls.push(request.address.url);
        expect(request.address.headers).toEqual({ "mj-api-secret": "k", "x-team": "t" });
        return call.send(request);
      },
    };
    const { operation } = await start(job("imagine", { prompt: "p" }), watched);
    await status(operation, watched);
  }
  expect(new Set(urls)).toEqual(
    new Set(
      ["https://p.test/mj", "https://p.test/mj-fast/mj"].flatMap((root) => [
        `${root}/submit/imagine`,
        `${root}/task/a%2Fb/fetch`,
      ]),
    ),
  );
});
