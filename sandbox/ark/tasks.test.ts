// Ark's wire over real HTTP: keys, refusals, the task as it is shown, the list.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const root = `${sandbox.url}/ark/api/v3/contents/generations/tasks`;
const soon = "a bridge sandbox:seconds=0";
const image = (role: string, url = "https://example.com/a.png") => ({
  type: "image_url",
  image_url: { url },
  role,
});
const audio = {
  type: "audio_url",
  audio_url: { url: "https://example.com/a.mp3" },
  role: "reference_audio",
};

interface Reply {
  status: number;
  id?: string;
  error?: { code: string; param: string };
}

async function call(method: string, path: string, body?: object, key = "sk-one"): Promise<Reply> {
  const response = await fetch(`${root}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { ...((await response.json()) as object), status: response.status };
}

function create(content: object[], more: object = {}): Promise<Reply> {
  return call("POST", "", { model: "seedance", content, ...more });
}

describe("a task", () => {
  test("is shown, listed and forgotten", async () => {
    const more = { ratio: "3:4", resolution: "480p", duration: 6, safety_identifier: "ours-1" };
    const { id } = await create([{ type: "text", text: soon }], more);
    const shown = await (await fetch(`${root}/${id}`, { headers: bearer("sk-one") })).json();
    expect(shown).toMatchObject({
      id,
      model: "seedance",
      status: "succeeded",
      error: null,
      content: { video_url: expect.stringMatching(/\/ark\/files\/560x752-6s/) },
      usage: { completion_tokens: 129_600, total_tokens: 129_600 },
      resolution: "480p",
      ratio: "3:4",
      duration: 6,
      safety_identifier: "ours-1",
    });
    expect(await call("GET", `?filter.task_ids=${id}&filter.status=succeeded`)).toEqual({
      status: 200,
      total: 1,
      items: [shown],
    } as object as Reply);
    expect(await call("GET", "?filter.model=other")).toMatchObject({ total: 0, items: [] });
    expect(await call("GET", "?page_size=0")).toMatchObject({ status: 400 });
    expect(await call("GET", `/${id}`, undefined, "sk-two")).toMatchObject({ status: 404 });
    expect(await call("DELETE", `/${id}`)).toEqual({ status: 200 });
    expect(await call("GET", `/${id}`)).toMatchObject({ error: { code: "ResourceNotFound" } });
  });

  test.each<[string, object[], object]>([
    ["nothing", [], {}],
    ["an unknown field", [{ type: "text", text: soon }], { n: 2 }],
    ["a size", [{ type: "text", text: soon }], { size: "1280x720" }],
    ["a length as text", [{ type: "text", text: soon }], { duration: "5" }],
    ["a length past the most", [{ type: "text", text: soon }], { duration: 31 }],
    ["a resolution in capitals", [{ type: "text", text: soon }], { resolution: "720P" }],
    ["the last frame alone", [image("last_frame")], {}],
    ["the first frame twice", [image("first_frame"), image("first_frame")], {}],
    ["frames among references", [image("first_frame"), image("reference_image")], {}],
    ["audio alone", [{ type: "text", text: soon }, audio], {}],
    ["too many images", Array.from({ length: 10 }, () => image("reference_image")), {}],
    ["a path", [image("first_frame", "/etc/hosts")], {}],
    ["audio as data", [image("reference_image"), dataAudio()], {}],
  ])("is refused for %s", async (_, content, more) => {
    const reply = await create(content, more);
    expect(reply).toMatchObject({ status: 400, error: { code: "InvalidParameter" } });
  });

  test("must have a model", async () => {
    expect(await call("POST", "", { content: [] })).toMatchObject({
      status: 400,
      error: { code: "MissingParameter", param: "model" },
    });
  });

  test("takes every kind of medium", async () => {
    const clip = { type: "video_url", video_url: { url: "asset://a-1" }, role: "reference_video" };
    const media = [image("reference_image", "data:image/png;base64,AAAA"), clip, audio];
    expect(await create([{ type: "text", text: soon }, ...media])).toMatchObject({ status: 200 });
  });

  test("that runs is not deleted", async () => {
    const { id } = await create([{ type: "text", text: "sandbox:seconds=0" }]);
    expect(await call("DELETE", `/${id}`)).toMatchObject({ status: 200 });
    const waiting = await create([{ type: "text", text: "sandbox:seconds=1000" }]);
    expect(await call("DELETE", `/${waiting.id}`)).toEqual({ status: 200 });
    expect(await call("GET", `/${waiting.id}`)).toMatchObject({ status: 200, error: null });
  });
});

test("a key must be there and must not be revoked", async () => {
  expect((await fetch(root, { method: "POST" })).status).toBe(401);
  expect(await call("GET", "", undefined, "sk-sandbox-revoked")).toMatchObject({
    status: 401,
    error: { code: "AuthenticationError" },
  });
});

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function dataAudio(): object {
  return { ...audio, audio_url: { url: "data:audio/mpeg;base64,AAAA" } };
}
