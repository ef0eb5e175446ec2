// Kling's wire over real HTTP: keys, refusals, the task as it is shown, the list.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const root = `${sandbox.url}/kling/v1/videos`;
const soon = "a bridge sandbox:seconds=0";

async function call(path: string, body: object | null, key = "sk-one") {
  const response = await fetch(`${root}${path}`, {
    method: body === null ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}` },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    ...((await response.json()) as { code: number; data: object }),
  };
}

describe("a task", () => {
  test("is shown by its id and by the caller's", async () => {
    const body = { model_name: "kling-v2-6", prompt: soon, external_task_id: "ours-1" };
    const made = await call("/text2video", { ...body, aspect_ratio: "1:1", duration: "10" });
    expect(made).toMatchObject({ status: 200, code: 0, message: "SUCCEED" });
    const shown = await call("/text2video/ours-1", null);
    expect(shown.data).toMatchObject({
      task_status: "succeed",
      task_info: { external_task_id: "ours-1" },
      task_result: { videos: [{ url: expect.stringMatching(/720x720-10s/), duration: "10.0" }] },
    });
    const { task_id: id } = shown.data as { task_id: string };
    expect((await call(`/text2video/${id}`, null)).data).toEqual(shown.data);
    expect(await call(`/image2video/${id}`, null)).toMatchObject({ status: 404, code: 1203 });
    expect(await call(`/text2video/${id}`, null, "sk-two")).toMatchObject({ status: 404 });
    expect((await call("/text2video?pageNum=1&pageSize=1", null)).data).toEqual([shown.data]);
    expect(await call("/text2video", body)).toMatchObject({ status: 400, code: 1201 });
  });

  test.each<[string, object]>([
    ["/text2video", {}],
    ["/text2video", { prompt: "" }],
    ["/text2video", { prompt: "x", unknown: 1 }],
    ["/text2video", { prompt: "x", duration: 5 }],
    ["/text2video", { prompt: "x", duration: "7" }],
    ["/text2video", { prompt: "x", duration: "16", model_name: "kling-v3" }],
    ["/text2video", { prompt: "x", aspect_ratio: "4:3" }],
    ["/text2video", { prompt: "x", image: "https://example.com/a.png" }],
    ["/image2video", { prompt: "x" }],
    ["/image2video", { image: "data:image/png;base64,AAAA" }],
    ["/image2video", { image: "https://example.com/a.png", aspect_ratio: "16:9" }],
    ["/multi-image2video", { prompt: "x", image_list: [] }],
    ["/multi-image2video", { prompt: "x", image_list: ["https://example.com/a.png"] }],
  ])("at %s is refused for %j", async (path, body) => {
    expect(await call(path, body)).toMatchObject({ status: 400, code: 1201 });
  });

  test("of the newest models has any length", async () => {
    const body = { model_name: "kling-v3", prompt: soon, duration: "7" };
    expect(await call("/text2video", body)).toMatchObject({ status: 200 });
  });
});

describe("a key", () => {
  test("must be there and must not be revoked", async () => {
    const bare = await fetch(`${root}/text2video`, { method: "POST", body: "{}" });
    expect(bare.status).toBe(401);
    expect(await bare.json()).toMatchObject({ code: 1001 });
    const revoked = await call("/text2video", {}, "sk-sandbox-revoked");
    expect(revoked).toMatchObject({ status: 401, code: 1002 });
  });

  test.each(["a.b.c", "e30.e30.x", "bm8.bm8.x"])(
    "is refused when it is no token, such as %s",
    async (token) => {
      expect(await call("/text2video", {}, token)).toMatchObject({ status: 401, code: 1002 });
    },
  );

  test.each([
    [1003, { iss: "AK", nbf: 4e9, exp: 5e9 }],
    [1004, { iss: "AK", nbf: 0, exp: 1 }],
  ])("outside its time is refused with %d", async (code, claims) => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    const signature = new Bun.CryptoHasher("sha256", "secret-of-AK").update(text);
    const token = `${text}.${signature.digest("base64url")}`;
    expect(await call("/text2video", {}, token)).toMatchObject({ status: 401, code });
  });
});

test("there is nothing elsewhere", async () => {
  expect(await call("/lip-sync", {})).toMatchObject({ status: 404, code: 1203 });
  expect((await fetch(`${sandbox.url}/kling/files/1x1-5s-0.mp4`)).status).toBe(401);
});
