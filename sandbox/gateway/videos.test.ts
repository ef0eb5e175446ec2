// The reseller's wire, over real HTTP.
import { expect, test } from "bun:test";
import type { Clock } from "../../src/core/clock.ts";
import { systemTimers } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { revokedKey } from "../wire.ts";
import { startSandbox } from "../server.ts";

function start() {
  let nowMs = 1_790_000_000_000;
  const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const sandbox = startSandbox({ port: 0, clock, timers: systemTimers });
  const call = async (method: string, path: string, said: { body?: object; key?: string } = {}) =>
    await fetch(`${sandbox.url}/gateway/v1/videos${path}`, {
      method,
      headers: {
        authorization: `Bearer ${said.key ?? "sk-sandbox-a"}`,
        ...(path === "?once" ? { "idempotency-key": "task_1" } : {}),
      },
      ...(said.body && { body: JSON.stringify(said.body) }),
    });
  return {
    call,
    pass: (seconds: number) => void (nowMs += seconds * 1000),
    make: async (body: object, path = "") =>
      (await (await call("POST", path, { body })).json()) as JsonObject,
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

const body = { model: "omni-fast-v2v", prompt: "A fox", video: "https://media.example/a.mp4" };

test("a video of any family is made, shown and handed out", async () => {
  await using sandbox = start();
  const made = await sandbox.make({ ...body, seconds: "4", size: "640x360" });
  expect(made).toMatchObject({ model: body.model, status: "queued", progress: 0, video_url: "" });
  const path = `/${String(made["id"])}`;
  expect((await sandbox.call("GET", `${path}/content`)).status).toBe(409);
  sandbox.pass(1);
  const running = await (await sandbox.call("GET", path)).json();
  expect(running).toMatchObject({ status: "in_progress", progress: 50 });
  sandbox.pass(1);
  const done = await (await sandbox.call("GET", path)).json();
  expect(done).toMatchObject({ status: "completed", progress: 100, duration: 4 });
  const content = await sandbox.call("GET", `${path}/content`);
  expect(content.headers.get("content-type")).toBe("video/mp4");
  expect((await content.bytes()).length).toBeGreaterThan(500);
  expect((await sandbox.call("GET", path, { key: "sk-sandbox-b" })).status).toBe(404);
});

test("what runs can be cancelled, what has ended is forgotten", async () => {
  await using sandbox = start();
  const path = `/${String((await sandbox.make(body))["id"])}`;
  expect(await (await sandbox.call("DELETE", path)).json()).toMatchObject({ deleted: true });
  const cancelled = await (await sandbox.call("GET", path)).json();
  expect(cancelled).toMatchObject({ status: "failed", error: { code: "task_cancelled" } });
  await sandbox.call("DELETE", path);
  expect((await sandbox.call("GET", path)).status).toBe(404);
});

test("a create that is repeated makes nothing new", async () => {
  await using sandbox = start();
  const first = await sandbox.make(body, "?once");
  expect(await sandbox.make(body, "?once")).toEqual(first);
  expect((await sandbox.make(body))["id"]).not.toBe(first["id"]);
  const list = async (query: string) => await (await sandbox.call("GET", query)).json();
  expect(await list("?idempotency_key=task_1")).toMatchObject({
    idempotency_key: "task_1",
    data: [{ id: first["id"] }],
  });
  expect(await list("?idempotency_key=task_2")).toMatchObject({ data: [] });
  expect(await list("")).toMatchObject({ error: { param: "idempotency_key" } });
});

test("there is nothing but the video", async () => {
  await using sandbox = start();
  const { id } = await sandbox.make({ ...body, prompt: "sandbox:seconds=0" });
  const thumbnail = await sandbox.call("GET", `/${String(id)}/content?variant=thumbnail`);
  expect(await thumbnail.json()).toMatchObject({ error: { param: "variant" } });
  expect((await sandbox.call("GET", `/${String(id)}/content?variant=video`)).status).toBe(200);
});

test("failures and refusals come on demand", async () => {
  await using sandbox = start();
  const failed = await sandbox.make({ ...body, prompt: "sandbox:seconds=0 sandbox:fail" });
  expect(failed).toMatchObject({ status: "failed", error: { code: "task_failed" } });
  const statuses = async (asked: object) =>
    (await sandbox.call("POST", "", { body: asked })).status;
  expect(await statuses({ ...body, prompt: "sandbox:status=429" })).toBe(429);
  expect(await statuses({ prompt: "A fox" })).toBe(400);
  expect(await statuses({ model: "omni-fast" })).toBe(400);
  expect((await sandbox.call("POST", "", { body, key: revokedKey })).status).toBe(401);
  expect((await sandbox.call("PATCH", "")).status).toBe(405);
  expect((await sandbox.call("GET", "/none/other")).status).toBe(404);
});
