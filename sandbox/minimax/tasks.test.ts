// MiniMax's wire over real HTTP: keys, refusals, the task as it is shown, the list.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const root = `${sandbox.url}/minimax/v2`;
const text = { type: "text", text: "a bridge sandbox:seconds=0" };
const first = {
  type: "image_url",
  image_url: { url: "https://example.com/a.png" },
  role: "first_frame",
};

interface Reply {
  status: number;
  task_id?: string;
  task?: object;
  error?: { type: string; message: string };
}

async function call(path: string, body?: object, key = "sk-one"): Promise<Reply> {
  const response = await fetch(`${root}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { ...((await response.json()) as object), status: response.status };
}

function create(content: object[], more: object = {}): Promise<Reply> {
  return call("/video_generation", { model: "MiniMax-H3", content, ...more });
}

describe("a task", () => {
  test("is shown and listed", async () => {
    const more = { ratio: "9:16", resolution: "2K", duration: 6, aigc_watermark: false };
    const { task_id: id } = await create([text], more);
    const { task } = await call(`/query/video_generation/${id}`);
    expect(task).toMatchObject({
      id,
      model: "MiniMax-H3",
      status: "succeeded",
      content: { url: expect.stringMatching(/\/minimax\/files\/1440x2560-6s/) },
      resolution: "2K",
      ratio: "9:16",
      duration: 6,
      usage: { total_seconds: 6, input_seconds: 0, output_seconds: 6 },
      error: null,
    });
    expect(await call("/query/video_generation?page_size=1")).toMatchObject({ tasks: [task] });
    expect(await call("/query/video_generation?page_size=0")).toMatchObject({ status: 400 });
    const other = await call(`/query/video_generation/${id}`, undefined, "sk-two");
    expect(other).toMatchObject({ status: 404 });
  });

  test.each<[string, object[], object]>([
    ["nothing", [], {}],
    ["a text without a ratio", [text], {}],
    ["a text that adapts", [text], { ratio: "adaptive" }],
    ["an unknown field", [text], { ratio: "1:1", seed: 1 }],
    ["a short length", [text], { ratio: "1:1", duration: 3 }],
    ["a small resolution", [text], { ratio: "1:1", resolution: "768p" }],
    ["a long text", [{ type: "text", text: "x".repeat(7001) }], { ratio: "1:1" }],
    ["the last frame alone", [{ ...first, role: "last_frame" }], {}],
    ["an asset", [{ ...first, image_url: { url: "asset://a" } }], {}],
  ])("is refused for %s", async (_, content, more) => {
    const reply = await create(content, more);
    expect(reply).toMatchObject({ status: 400, error: { type: "bad_request_error" } });
    expect(reply.error?.message).toEndWith("(2013)");
  });

  test("with a frame needs no ratio", async () => {
    expect(await create([text, first])).toMatchObject({ status: 200 });
  });
});

test("a key must be there and must not be revoked", async () => {
  expect((await fetch(`${root}/video_generation`, { method: "POST" })).status).toBe(401);
  expect(await call("/query/video_generation", undefined, "sk-sandbox-revoked")).toMatchObject({
    status: 401,
    error: { type: "authorized_error" },
  });
});

test("there is nothing elsewhere", async () => {
  expect(await call("/video_regeneration", {})).toMatchObject({ status: 404 });
});
