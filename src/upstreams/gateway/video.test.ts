// Videos by another gateway: the sandbox's vendor of the same wire, and scripted ones for the rest.
import { describe, expect, test } from "bun:test";
import { videoCall, videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import { videoFacet } from "../kit/fixtures/vendors.ts";
import { VendorRefusal } from "../upstream.ts";
import { gateway } from "./index.ts";

const facet = videoFacet(gateway);

type Script = Readonly<Record<string, () => Response>>;

interface Seen {
  headers: Record<string, string>;
  text: string;
}

function scripted(script: Script, seen: Seen[] = []) {
  return Bun.serve({
    port: 0,
    async fetch(request) {
      seen.push({ headers: request.headers.toJSON(), text: await request.text() });
      const { pathname } = new URL(request.url);
      return script[`${request.method} ${pathname}`]?.() ?? new Response(null, { status: 404 });
    },
  });
}

test("a job goes its way by the wire of videos", async () => {
  await using vendor = new VideoVendor("openai");
  const call = vendor.call({ model: "there-1" });
  const body = { model: "here-1", prompt: "A fox", seconds: "6", size: "640x360" };
  const operation = await facet.start(videoJob(), body, call);
  expect(await vendor.jobs()).toMatchObject([{ id: operation, model: "there-1" }]);
  vendor.pass(3);
  expect(await facet.status(operation, call)).toMatchObject({
    kind: "completed",
    seconds: 6,
    result: { kind: "url", url: expect.stringContaining(`/v1/videos/${operation}/content`) },
  });
});

test("the body goes on as the client wrote it, without those who wait for a call", async () => {
  const seen: Seen[] = [];
  using server = scripted({ "POST /v1/videos": () => Response.json({ id: "task_9" }) }, seen);
  const original = { model: "here", odd: { nested: [1, null] }, webhook_url: "https://a.example" };
  const call = videoCall(server.url.origin, { taskId: "task_1", model: "there" });
  expect(await facet.start(videoJob(), original, call)).toBe("task_9");
  expect(JSON.parse(seen[0]?.text ?? "")).toEqual({ model: "there", odd: { nested: [1, null] } });
  expect(seen[0]?.headers["idempotency-key"]).toBe("task_1");
});

test("wherever a length is said, it is the one that was priced", async () => {
  const seen: Seen[] = [];
  using server = scripted({ "POST /v1/videos": () => Response.json({ id: "task_9" }) }, seen);
  const original = { seconds: "60", duration: 4, metadata: { durationSeconds: 60, tone: "warm" } };
  const call = videoCall(server.url.origin, { model: "there" });
  await facet.start(videoJob({ seconds: 4 }), original, call);
  await facet.start(videoJob(), original, call);
  expect(seen.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
    {
      model: "there",
      seconds: "4",
      duration: 4,
      metadata: { durationSeconds: 4, tone: "warm" },
    },
    { model: "there", ...original },
  ]);
});

test("an answer that names no job is no refusal", async () => {
  using server = scripted({ "POST /v1/videos": () => Response.json({ object: "video" }) });
  const start = facet.start(videoJob(), {}, videoCall(server.url.origin));
  await expect(start).rejects.toThrow("has no id");
  await expect(start).rejects.not.toBeInstanceOf(VendorRefusal);
});

describe("a state", () => {
  test.each([
    [{ status: "pending" }, { kind: "pending", status: "queued", progress: null }],
    [
      { status: "generating", progress: 120 },
      { kind: "pending", status: "in_progress", progress: 99 },
    ],
    [{ status: "unheard-of" }, { kind: "pending", status: "in_progress", progress: null }],
    [
      { status: "succeeded", actualDuration: 5, totalTokens: 900 },
      { kind: "completed", seconds: 5, tokens: 900 },
    ],
    [
      { status: "failed", error: "too dark" },
      { kind: "failed", code: "task_failed", message: "too dark" },
    ],
    [
      { status: "expired", error: null },
      { kind: "failed", code: "task_expired" },
    ],
    [
      { status: "cancelled", error: { code: "gone", message: "m" } },
      { kind: "failed", code: "gone", message: "m" },
    ],
  ])("of %j is understood", async (video, progress) => {
    using server = scripted({ "GET /v1/videos/t": () => Response.json({ id: "t", ...video }) });
    expect(await facet.status("t", videoCall(server.url.origin))).toMatchObject(progress);
  });

  test("that cannot be read is an error", async () => {
    using server = scripted({ "GET /v1/videos/t": () => new Response("<html>") });
    await expect(facet.status("t", videoCall(server.url.origin))).rejects.toThrow("read");
  });
});

describe("a start whose answer was lost", () => {
  test("is found by our own id, and is absent where it never arrived", async () => {
    await using vendor = new VideoVendor("gateway");
    const call = vendor.call({ taskId: "task_lost" });
    expect(await facet.find?.(call)).toBeNull();
    const body = { model: "omni-fast", prompt: "A fox sandbox:cut" };
    await expect(facet.start(videoJob(), body, call)).rejects.toThrow();
    const [job] = await vendor.jobs();
    expect(await facet.find?.(call)).toBe(job?.id);
    expect(await facet.find?.(vendor.call({ taskId: "task_other" }))).toBeNull();
    expect(await facet.find?.({ ...call, target: { ...call.target, key: "sk-b" } })).toBeNull();
  });

  test.each([
    ["lists what it likes", { object: "list", data: [{ id: "someone-elses" }] }],
    ["read another key", { object: "list", data: [{ id: "x" }], idempotency_key: "task_2" }],
    ["answers with something else", { idempotency_key: "task_1", data: {} }],
  ])("cannot be told of by a gateway that %s", async (_title, answer) => {
    using server = scripted({ "GET /v1/videos": () => Response.json(answer) });
    expect(await facet.find?.(videoCall(server.url.origin))).toBeUndefined();
  });

  test("stays unclear while the gateway cannot be asked", async () => {
    using server = scripted({ "GET /v1/videos": () => new Response("no", { status: 502 }) });
    await expect(facet.find?.(videoCall(server.url.origin))).rejects.toThrow("502");
  });
});

test("other renderings of a video are asked for by their names", () => {
  const call = videoCall("https://other.example/v1/");
  expect(facet.variant?.("a/b", "thumbnail", call)).toEqual({
    url: "https://other.example/v1/videos/a%2Fb/content?variant=thumbnail",
    headers: { authorization: `Bearer ${call.target.key}` },
  });
});

describe("a cancel", () => {
  const running = (): Response => Response.json({ id: "t", status: "in_progress" });
  const done = (): Response => Response.json({ id: "t", status: "completed" });
  const deleted = (): Response => Response.json({ id: "t", deleted: true });
  const tooLate = (): Response => Response.json({ error: { message: "no" } }, { status: 409 });

  test.each([
    ["true when it was stopped", running, deleted, true],
    ["false when it cannot be stopped", running, tooLate, false],
    ["false for what has ended, which is not deleted", done, deleted, false],
  ])("is %s", async (_title, get, remove, expected) => {
    const seen: Seen[] = [];
    using server = scripted({ "GET /v1/videos/t": get, "DELETE /v1/videos/t": remove }, seen);
    expect(await facet.cancel?.("t", videoCall(server.url.origin))).toBe(expected);
    expect(seen).toHaveLength(get === done ? 1 : 2);
  });
});

test("assets are the one thing that is unknown there", () => {
  const asset = { kind: "image", role: "reference", source: { kind: "asset", id: "a" } } as const;
  expect(facet.lacks(videoJob({ seed: 1, negativePrompt: "x", tier: "pro" }))).toBeNull();
  expect(facet.lacks(videoJob({ media: [{ ...asset, param: "first_image" }] }))).toBe(
    "first_image",
  );
});
