// The reseller's images over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { readImageSize } from "../../../src/core/image-size.ts";
import { readEvents } from "../../../src/core/sse.ts";
import { drawPicture } from "../../picture/index.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const cat = new Uint8Array(drawPicture({ width: 64, height: 48, format: "png", seed: "cat" }));
const asked = { model: "imageA-2", prompt: "a fox" };

interface Said {
  path?: string;
  headers?: Record<string, string>;
}

async function post(body: object, { path = "generations", headers = {} }: Said = {}) {
  return fetch(`${sandbox.url}/gateway/v1/images/${path}`, {
    method: "POST",
    headers: { authorization: "Bearer sk-one", ...headers },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
}

interface Reply {
  data: { url?: string; b64_json?: string }[];
}

async function make(body: object, said: Said = {}): Promise<Reply> {
  return (await (await post(body, said)).json()) as Reply;
}

test("every size and class is drawn, behind links or as bytes", async () => {
  const { data } = await make({ ...asked, size: "1920x1080", output_format: "webp", n: 2 });
  const urls = data.map(({ url }) => url ?? "");
  const pictures = await Promise.all(urls.map(async (url) => (await fetch(url)).bytes()));
  for (const bytes of pictures) {
    expect(readImageSize("image/webp", bytes)).toEqual({ width: 1920, height: 1080 });
  }
  expect(new Set(urls).size).toBe(2);
  const sent = await make({ ...asked, size: "2k", response_format: "b64_json", n: 0 });
  expect(sent.data).toHaveLength(1);
  const bytes = Buffer.from(sent.data[0]?.b64_json ?? "", "base64");
  expect(readImageSize("image/png", bytes)).toEqual({ width: 2048, height: 2048 });
});

test("a create that is repeated brings the same pictures", async () => {
  const headers = { "idempotency-key": "req_1" };
  const first = await make(asked, { headers });
  expect((await make(asked, { headers })).data).toEqual(first.data);
  expect((await make(asked)).data).not.toEqual(first.data);
});

test("a form is as good as JSON", async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...asked, n: "3" })) form.append(name, value);
  form.append("image[]", new Blob([cat], { type: "image/png" }), "a.png");
  form.append("image[]", "https://images.example/b.png");
  expect((await make(form, { path: "edits" })).data).toHaveLength(3);
});

test("a stream has the maker's events", async () => {
  const response = await post({ ...asked, stream: true, partial_images: 1 });
  expect(readEvents(await response.text()).map(({ event }) => event)).toEqual([
    "image_generation.partial_image",
    "image_generation.completed",
  ]);
});

describe("a request", () => {
  test.each<[string | null, string, object]>([
    ["model", "generations", { prompt: "x" }],
    ["prompt", "generations", { model: "imageA-2" }],
    ["n", "generations", { ...asked, n: 11 }],
    ["size", "generations", { ...asked, size: "huge" }],
    ["size", "generations", { ...asked, size: "8193x64" }],
    ["image", "edits", asked],
    [null, "generations", []],
  ])("is refused for %p at %s", async (param, path, body) => {
    const response = await post(body, { path });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param, code: "invalid_request" } });
  });

  test("is refused with a file that is no picture, and with a form that is none", async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(asked)) form.append(name, value);
    form.append("image", new Blob(["text"], { type: "image/png" }), "a.png");
    expect((await post(form, { path: "edits" })).status).toBe(400);
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    expect((await post(asked, { path: "edits", headers })).status).toBe(400);
  });

  test("is refused when the prompt asks for that, and by another method", async () => {
    const status = async (directive: string) =>
      (await post({ ...asked, prompt: `x sandbox:${directive}` })).status;
    expect(await status("status=402")).toBe(402);
    expect(await status("fail")).toBe(500);
    const filtered = await post({ ...asked, prompt: "x sandbox:filter" });
    expect(await filtered.json()).toMatchObject({ error: { code: "content_policy_violation" } });
    const url = `${sandbox.url}/gateway/v1/images/edits`;
    expect((await fetch(url, { headers: { authorization: "Bearer sk-one" } })).status).toBe(405);
  });
});
