// The midjourney-proxy dialect over real HTTP: keys, refusals, tasks as they are shown.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const root = `${sandbox.url}/midjourney/mj`;
const soon = "a bridge sandbox:seconds=0";
const uri = "data:image/png;base64,iVBORw0KGgo=";

function send(path: string, body: object | null, key = "sk-one"): Promise<Response> {
  return fetch(`${root}${path}`, {
    method: body === null ? "GET" : "POST",
    headers: { "mj-api-secret": key },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
}

async function call(path: string, body: object | null, key?: string): Promise<JsonObject> {
  const response = await send(path, body, key);
  expect(response.status).toBe(200);
  const json: unknown = await response.json();
  return isObject(json) ? json : {};
}

async function made(path: string, body: object): Promise<JsonObject> {
  const { code, result } = await call(path, body);
  expect(code).toBe(1);
  return call(`/task/${String(result)}/fetch`, null);
}

describe("a task", () => {
  test("is shown to its key, alone and in lists", async () => {
    const task = await made("/submit/imagine", { prompt: soon, state: "ours" });
    expect(task).toMatchObject({
      action: "IMAGINE",
      status: "SUCCESS",
      prompt: soon,
      state: "ours",
      progress: "100%",
      failReason: "",
    });
    const id = String(task["id"]);
    const other = await send(`/task/${id}/fetch`, null, "sk-two");
    expect([other.status, await other.text()]).toEqual([200, ""]);
    const all: unknown = await (await send("/task/list", null)).json();
    expect(all).toContainEqual(task);
    const named: unknown = await (await send("/task/list-by-condition", { ids: [id, "x"] })).json();
    expect(named).toEqual([task]);
    expect(await (await send("/task/list-by-condition", {})).json()).toEqual([]);
  });

  test("has one picture, behind a link and behind its id", async () => {
    const task = await made("/submit/imagine", { prompt: soon });
    const linked = await fetch(String(task["imageUrl"]));
    expect(linked.headers.get("content-type")).toBe("image/png");
    const own = await send(`/image/${String(task["id"])}`, null);
    expect(own.headers.get("content-type")).toBe("image/png");
    expect((await send("/image/none", null)).status).toBe(404);
  });

  test("of two is never the same picture", async () => {
    const [one, two] = await Promise.all([
      made("/submit/imagine", { prompt: soon }),
      made("/submit/imagine", { prompt: soon }),
    ]);
    expect(one["imageUrl"]).not.toBe(two["imageUrl"]);
  });

  test.each<[string, object]>([
    ["/submit/imagine", {}],
    ["/submit/imagine", { prompt: "" }],
    ["/submit/imagine", { prompt: "x", unknown: 1 }],
    ["/submit/imagine", { prompt: "x", base64Array: ["https://example.com/a.png"] }],
    ["/submit/imagine", { prompt: "x", botType: "other" }],
    ["/submit/change", { taskId: "1", action: "ZOOM" }],
    ["/submit/change", { taskId: "1", action: "UPSCALE", index: 5 }],
    ["/submit/action", { taskId: "1" }],
    ["/submit/blend", { base64Array: [uri], dimensions: "SQUARE" }],
    ["/submit/blend", { base64Array: [uri, uri] }],
    ["/submit/describe", { base64: "iVBORw0KGgo=" }],
    ["/submit/modal", {}],
  ])("at %s is refused for %j", async (path, body) => {
    expect(await call(path, body)).toMatchObject({ code: 4 });
  });

  test("goes on only from what is there and ready", async () => {
    const change = { action: "UPSCALE", index: 1 };
    expect(await call("/submit/change", { ...change, taskId: "none" })).toMatchObject({ code: 3 });
    const { result: running } = await call("/submit/imagine", { prompt: "a bridge" });
    expect(await call("/submit/change", { ...change, taskId: running })).toMatchObject({ code: 4 });
    expect(await call("/submit/modal", { taskId: running })).toMatchObject({ code: 4 });
    const { id } = await made("/submit/imagine", { prompt: soon });
    expect(await call("/submit/change", { taskId: id, action: "UPSCALE" })).toMatchObject({
      code: 4,
    });
    expect(await call("/submit/action", { taskId: id, customId: "MJ::no" })).toMatchObject({
      code: 4,
    });
    const single = await made("/submit/change", { ...change, taskId: id });
    expect(single).toMatchObject({ action: "UPSCALE", prompt: soon });
    const again = { ...change, taskId: single["id"] };
    expect(await call("/submit/change", again)).toMatchObject({ code: 4 });
  });
});

test("banned words are a number of their own", async () => {
  expect(await call("/submit/imagine", { prompt: "sandbox:filter" })).toMatchObject({
    code: 24,
    properties: { bannedWord: "sandbox" },
  });
});

test("a key must be there and must not be revoked", async () => {
  const bare = await fetch(`${root}/task/list`);
  expect([bare.status, await bare.text()]).toEqual([401, ""]);
  expect((await send("/task/list", null, "sk-sandbox-revoked")).status).toBe(401);
});

test("there is nothing elsewhere", async () => {
  expect((await send("/submit/video", {})).status).toBe(404);
  expect((await send("/insight-face/swap", null)).status).toBe(404);
});
